import type { Statement } from '../../db/client.ts'
import type { Effect } from '../../db/outbox.ts'
import { setPeriodEndStatement, withdrawMonthStatements } from '../../db/refunds.ts'
import { dateMonthStatements } from '../../db/terms.ts'
import type { Deps } from '../../deps.ts'
import { endMandate, keepTerm } from '../../rules/subscriptions.ts'
import { endOf, withdrawMonths } from '../../rules/terms.ts'
import { moveTerm, termOf } from '../subscriptions/move.ts'
import type { RefundFacts } from './facts.ts'

/**
 * Months not yet handed out go, later ones move up, and nothing is renewed any more. Purchase rule 11.
 * The term's next move is written in any case: of two changes to its months at once only one commits.
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
  const gone = withdrawn.map(({ number }) => ({ subscription_id: subscription.id, number }))
  const periodEnd = endOf(kept) ?? subscription.periodEnd
  const held = termOf(subscription)
  const move = endMandate(held) ?? keepTerm(held)
  const { statements, effects } = moveTerm(deps, subscription, move, `refund:${refundId}`, now)
  return {
    statements: [
      ...withdrawMonthStatements(deps.db, gone, refundId),
      ...dateMonthStatements(deps.db, subscription.id, kept),
      setPeriodEndStatement(deps.db, subscription.id, periodEnd),
      ...statements,
    ],
    effects,
    ends_renewal: move.ends_mandate,
  }
}
