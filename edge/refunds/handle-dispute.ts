import { type CreditsDecision, changeCredits, settleAccount } from '../credits/change-credits.ts'
import { type Credits, withdrawGrants } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { handlePayment } from '../orders/handle-payment.ts'
import { orderTransitionStatements, type StoredOrder } from '../orders/queries.ts'
import { countedCents } from '../orders/rules/payment.ts'
import { canTransitionOrder } from '../orders/rules/states.ts'
import type { DisputeEvent, PaymentProvider, VerifiedEvent } from '../payments/provider.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import { issueCreditNote } from '../receipts/issue.ts'
import { handleRenewal } from '../subscriptions/handle-event.ts'
import { findPaidOrder, findReversal, rememberReversalStatement } from './dispute-queries.ts'
import { loadRefundFacts, type RefundFacts, undelivered } from './facts.ts'
import {
  insertRefundStatements,
  refundTransitionStatements,
  removalCause,
  type StoredRefund,
} from './queries.ts'
import { CHARGEBACK_NOTE, disputedCents, isOpenRefund, orderAfterRefund } from './rules/refunds.ts'
import { withdrawStatements } from './withdraw-months.ts'

type ReceivedEvent = Pick<VerifiedEvent, 'occurred_at'> & { reported: DisputeEvent }

/**
 * Handles a chargeback in one commit: removes unspent credits, withdraws future months, ends the mandate and
 * records a succeeded refund. Repeated, late and out-of-order events change nothing more. The operator is notified
 * of every dispute; warnings and reversals do nothing else.
 */
export async function handleDispute(
  deps: Deps,
  provider: PaymentProvider,
  received: ReceivedEvent,
): Promise<void> {
  const { reported, occurred_at } = received
  const { payment, state } = reported
  if (state === 'warned') return notifyOperator(`${provider.name} warns that ${payment} may be charged back`)
  if (state === 'reversed') {
    const reversal = { provider: provider.name, payment, at: occurred_at }
    await commit(deps.db, [rememberReversalStatement(deps.db, reversal)])
    return notifyOperator(`${provider.name} reversed the chargeback of ${payment}: no credits were restored`)
  }
  const reversed_at = await findReversal(deps.db, provider.name, payment)
  if (reversed_at !== undefined && occurred_at <= reversed_at) {
    return notifyOperator(`the chargeback of ${payment} arrived after its reversal: no credits were deducted`)
  }
  const order = await findDeliveredOrder(deps, provider, reported)
  if (order === undefined)
    return notifyOperator(`${payment} was charged back, but belongs to no delivered order`)
  await withdrawCredits(deps, order, reported)
}

function notifyOperator(message: string): void {
  reportUnforeseen(new Error(message), { task: 'handle disputes' })
}

/**
 * Returns the order that the payment belongs to. Polls the provider first if the payment itself has not been
 * reported yet.
 */
async function findDeliveredOrder(
  deps: Deps,
  provider: PaymentProvider,
  { payment, mandate }: DisputeEvent,
): Promise<StoredOrder | undefined> {
  const find = () => findPaidOrder(deps.db, provider.name, payment)
  const known = await find()
  if (known !== undefined && known.creditedAt !== null) return known
  if (known !== undefined) {
    const reported = await provider.findPayment({ order_id: known.id, reference: payment })
    if (reported !== null) await handlePayment(deps, provider, { ...reported, order_id: known.id }, null)
  } else if (mandate !== null) {
    const charges = await provider.findRenewals(mandate)
    const reported = charges.find(({ reference, state }) => reference === payment && state === 'paid')
    const occurred_at = deps.clock.now()
    if (reported) await handleRenewal(deps, provider, { event_id: null, occurred_at, reported })
  }
  const found = await find()
  return found?.creditedAt == null ? undefined : found
}

async function withdrawCredits(deps: Deps, order: StoredOrder, reported: DisputeEvent): Promise<void> {
  const { id, accountId } = order
  // Delivers due months first, so each month is either delivered or still in the future.
  await settleAccount(deps, accountId)
  const message = await changeCredits(deps, accountId, {
    load: () => loadRefundFacts(deps, accountId, id),
    decide: (facts, settled, now) => decide(deps, facts, reported, settled, now),
  })
  if (message !== null) notifyOperator(`the order ${id}: ${message}`)
}

/**
 * Decides what the dispute removes. Answers with the message to the operator, or null if the dispute was handled
 * before.
 */
function decide(
  deps: Deps,
  facts: RefundFacts,
  reported: DisputeEvent,
  settled: Credits,
  now: number,
): CreditsDecision<string | null> {
  const { order, requests } = facts
  if (requests.some(({ providerReference }) => providerReference === reported.reference)) {
    return { answer: null }
  }
  const sums = {
    paid_cents: countedCents(order),
    refunded_cents: requests.reduce(
      (sum, each) => sum + (each.status === 'succeeded' ? each.amountCents : 0),
      0,
    ),
    currency: order.currency,
  }
  const amountCents = disputedCents(reported, sums)
  const status = orderAfterRefund(sums.paid_cents, sums.refunded_cents + amountCents)
  if (amountCents === 0 || !canTransitionOrder(order.status, status)) {
    return { answer: `charged back while it is ${order.status}` }
  }
  const refund = newDispute(facts, { reference: reported.reference, amountCents }, now)
  const change = withdrawGrants(
    settled,
    facts.made.map(({ sequence }) => sequence),
    { cause: removalCause(refund.id), order_id: order.id, note: CHARGEBACK_NOTE },
  )
  refund.creditsRemoved = settled.balance - change.credits.balance
  const withdrawn = withdrawStatements(deps, facts, refund.id, now)
  return {
    change,
    statements: [
      ...insertRefundStatements(deps.db, refund),
      ...requests.flatMap((request) => endOpenStatements(deps, request, now)),
      // Always writes the order's next transition, so concurrent events of one dispute cannot both commit.
      ...orderTransitionStatements(deps.db, order, status, {}, now),
      ...(issueCreditNote(deps, facts.issued, { refund, returned: reported.returned, now })?.statements ??
        []),
      ...withdrawn.statements,
    ],
    effects: withdrawn.effects,
    answer: `charged back, ${amountCents} ${order.currency} cents, as the refund ${refund.id}`,
  }
}

function newDispute(
  facts: RefundFacts,
  { reference, amountCents }: { reference: string; amountCents: number },
  now: number,
): StoredRefund {
  const { id, accountId, currency } = facts.order
  return {
    id: crypto.randomUUID(),
    orderId: id,
    accountId,
    status: 'succeeded',
    transitions: 1,
    reason: 'policy',
    amountCents,
    currency,
    creditsRemoved: 0,
    creditsWithdrawn: undelivered(facts, now).reduce((sum, { credits }) => sum + credits, 0),
    note: CHARGEBACK_NOTE,
    providerReference: reference,
    email: null,
    createdAt: now,
    finishedAt: now,
    nextPollAt: null,
  }
}

/** Ends open refunds without returning their credits, because the bank has already refunded the money. */
function endOpenStatements(deps: Deps, refund: StoredRefund, now: number): Statement[] {
  if (!isOpenRefund(refund.status)) return []
  const status = refund.status === 'awaiting_payout' ? 'rejected' : 'failed'
  const fields = { finishedAt: now, nextPollAt: null, note: refund.note ?? CHARGEBACK_NOTE, email: null }
  return refundTransitionStatements(deps.db, refund, status, fields, now)
}
