import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { endMandate, keepTerm } from '../subscriptions/rules/renewal.ts'
import { endOf, withdrawMonths } from '../subscriptions/rules/terms.ts'
import { dateMonthStatements } from '../subscriptions/term-queries.ts'
import { termOf, termTransition } from '../subscriptions/transition.ts'
import type { RefundFacts } from './facts.ts'
import { setPeriodEndStatement, withdrawMonthStatements } from './queries.ts'

/**
 * Withdraws undelivered months. Later months move up, and nothing renews. Always writes a transition of the term,
 * so concurrent changes to its months cannot both commit. Contract: Purchase rule 11.
 */
export function withdrawStatements(
  deps: Deps,
  facts: RefundFacts,
  refundId: string,
  now: number,
): { statements: Statement[]; effects: Effect[]; ends_renewal: boolean } {
  const { order, term } = facts
  if (term === null || !term.months.some(({ order_id }) => order_id === order.id)) {
    return { statements: [], effects: [], ends_renewal: false }
  }
  const { subscription } = term
  const months = term.months.map((month) => ({
    ...month,
    delivered: month.delivered || month.starts_at <= now,
  }))
  const { withdrawn, kept } = withdrawMonths(months, order.id)
  const withdrawn_months = withdrawn.map(({ number }) => ({ subscription_id: subscription.id, number }))
  const periodEnd = endOf(kept) ?? subscription.periodEnd
  const held = termOf(subscription)
  const transition = endMandate(held) ?? keepTerm(held)
  const { statements, effects } = termTransition(deps, subscription, transition, `refund:${refundId}`, now)
  return {
    statements: [
      ...withdrawMonthStatements(deps.db, withdrawn_months, refundId),
      ...dateMonthStatements(deps.db, subscription.id, kept),
      setPeriodEndStatement(deps.db, subscription.id, periodEnd),
      ...statements,
    ],
    effects,
    ends_renewal: transition.ends_mandate,
  }
}
