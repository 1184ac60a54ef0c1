import type { CallerAccount } from '../accounts/rules/caller.ts'
import { andThen, type Change, type Credits, unchanged, withdrawGrants } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import type { Settings } from '../settings/rules/settings.ts'
import { UNASKED } from './emails.ts'
import { loadRefundFacts, quoteOf, type RefundFacts, undelivered } from './facts.ts'
import { paysByHand } from './find-provider.ts'
import {
  insertRefundStatements,
  refundableOrdersQuery,
  removalCause,
  withdrawMonthStatements,
} from './queries.ts'
import { newRefund, refundEffects } from './request.ts'
import type { RefundQuote } from './rules/refunds.ts'
import { viewRefund } from './view.ts'

/** A weekend and the last time zone can add this to the period of a withdrawal. */
const LONGER_MS = 4 * DAY_MS

/** Loads the orders of an account whose refund windows may be open. */
export async function loadRefundable(
  deps: Deps,
  accountId: number,
  { withdrawal_days, refund_policy_days }: Settings,
): Promise<RefundFacts[]> {
  const days = Math.max(withdrawal_days, refund_policy_days)
  const since = deps.clock.now() - days * DAY_MS - LONGER_MS
  const rows = await refundableOrdersQuery(deps.db, accountId, since)
  return Promise.all(rows.map(({ id }) => loadRefundFacts(deps, accountId, id)))
}

export interface DueRefund {
  facts: RefundFacts
  quote: RefundQuote
}

/** Returns the refunds that the owner could request now, or declare as withdrawals. */
export function findDueRefunds(
  orders: readonly RefundFacts[],
  credits: Credits,
  settings: Settings,
  now: number,
): DueRefund[] {
  return orders
    .map((facts) => ({ facts, quote: quoteOf(facts, credits, settings, now) }))
    .filter(
      ({ quote }) => quote.blocked === '' && (settings.refunds_enabled || quote.reason === 'withdrawal'),
    )
}

/** Describes due refunds for a caller who has to choose. */
export function viewDueRefunds(deps: Pick<Deps, 'payments'>, due: readonly DueRefund[]) {
  return due.map(({ facts: { order }, quote }) => ({
    order_id: order.id,
    item_name: order.itemName,
    amount_cents: quote.amount_cents,
    currency: order.currency,
    reason: quote.reason,
    payout_manual: paysByHand(deps, order.provider),
  }))
}

/**
 * Requests all refunds of an account that is deleted in the same commit: its terms close anyway, so only the months
 * are withdrawn.
 */
export function refundAll(
  deps: Deps,
  due: readonly DueRefund[],
  credits: Credits,
  account: Pick<CallerAccount, 'email' | 'locale'>,
  now: number,
) {
  let change: Change = unchanged(credits)
  const statements: Statement[] = []
  const effects: Effect[] = []
  const refunds: ReturnType<typeof viewRefund>[] = []
  for (const { facts, quote } of due) {
    const refund = newRefund(deps, facts, quote, null, now)
    const grants = facts.made.map(({ sequence }) => sequence)
    const about = { cause: removalCause(refund.id), order_id: facts.order.id, note: 'refund' }
    const before = change.credits.balance
    change = andThen(change, (left) => withdrawGrants(left, grants, about))
    refund.creditsRemoved = before - change.credits.balance
    statements.push(
      ...insertRefundStatements(deps.db, refund),
      ...withdrawMonthStatements(deps.db, undelivered(facts, now), refund.id),
    )
    const to = { email: account.email, locale: account.locale, ...UNASKED }
    effects.push(...refundEffects(deps, facts, refund, to, now))
    refunds.push(viewRefund(deps, refund))
  }
  return { change, statements, effects, refunds }
}
