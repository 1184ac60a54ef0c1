import { type CreditsDecision, changeCredits } from '../credits/change-credits.ts'
import type { Credits } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { keepLateMoney } from '../payments/keep-late-money.ts'
import type { PaymentEvent, PaymentProvider } from '../payments/provider.ts'
import { carriesMoney, type EventReason } from '../payments/rules/unmatched-events.ts'
import { keepEventStatement, supersedeStatement } from '../payments/unmatched-event-queries.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { applyEventsOf } from '../subscriptions/apply-matched-events.ts'
import { endOrphanedMandate } from '../subscriptions/end-mandate.ts'
import { chargedFields } from './charged-fields.ts'
import { deliverOrder } from './deliver.ts'
import { type Event, loadPayment, type PaymentFacts } from './load-payment.ts'
import { noteStatements } from './note-payment.ts'
import { arrivalEffects } from './payment-emails.ts'
import {
  changeOrderStatement,
  findOrder,
  orderTransitionStatements,
  rememberEventStatement,
  type StoredOrder,
} from './queries.ts'
import { decidePayment, type PaymentDecision } from './rules/payment.ts'
import { pollPauseMs } from './rules/polling.ts'
import { isOpenOrder, type OrderState } from './rules/states.ts'

interface PaymentResult {
  status: OrderState
  fault: string | null
}

/**
 * Handles a payment event of an order. Commits the state, credits, term, email, and event id together, so repeated
 * and late events change nothing twice. If the order is unknown, or the payment or its currency does not match,
 * saves the event for an administrator. Afterwards, applies the events that were saved for the mandate.
 * @returns the state of the order after the event, or null if there is no such order.
 */
export async function handlePayment(
  deps: Deps,
  provider: Pick<PaymentProvider, 'name' | 'kind'>,
  reported: PaymentEvent,
  event: Event,
): Promise<OrderState | null> {
  const known = await findOrder(deps.db, reported.order_id)
  if (known === undefined || known.provider !== provider.name) {
    reportFault(`${provider.name} reported a payment of ${reported.order_id}, which is not one of its orders`)
    await commit(deps.db, keepStatements(deps, provider, reported, event, deps.clock.now(), 'unknown'))
    return null
  }
  const { accountId } = known
  const { status, fault } = await changeCredits(deps, accountId, {
    load: (grants_max) =>
      loadPayment(deps, accountId, { id: known.id, provider: provider.name, event, grants_max }),
    decide: (facts: PaymentFacts, settled, now) =>
      decide(deps, provider, { reported, event }, facts, settled, now),
  })
  if (fault !== null) reportFault(`the order ${known.id}: ${fault}`)
  if (reported.mandate !== null) {
    // The payment is already committed. The scheduled handler applies any events that fail here.
    await applyEventsOf(deps, provider.name, reported.mandate).catch((error) =>
      reportUnforeseen(error, { task: 'apply kept events' }),
    )
  }
  return status
}

/** Saves a payment that matches no order, for an administrator to resolve. */
function keepStatements(
  { db }: Pick<Deps, 'db'>,
  { name: provider }: Pick<PaymentProvider, 'name'>,
  reported: PaymentEvent,
  event: Event,
  now: number,
  reason: EventReason,
): Statement[] {
  if (!carriesMoney(reported)) return []
  const { order_id: about, kind, reference } = reported
  const eventId = event?.id ?? `found:${reference}`
  const times = { occurredAt: event?.occurred_at ?? now, createdAt: now }
  return [
    keepEventStatement(db, { provider, eventId, kind, about, event: reported, reason, ...times }),
    supersedeStatement(db, { provider, about, reference, now }),
  ]
}

function reportFault(message: string): void {
  reportUnforeseen(new Error(message), { task: 'handle payments' })
}

function decide(
  deps: Deps,
  provider: Pick<PaymentProvider, 'name' | 'kind'>,
  { reported, event }: { reported: PaymentEvent; event: Event },
  facts: PaymentFacts,
  settled: Credits,
  now: number,
): CreditsDecision<PaymentResult> {
  const { order } = facts
  const unchanged = { status: order.status, fault: null }
  if (facts.is_repeated) return { answer: unchanged }
  if (facts.delivery.is_deleted && !isOfDelivery(order, reported)) {
    return refuseDeleted(deps, provider, { reported, event }, facts, now)
  }
  if (order.providerReference !== null && order.providerReference !== reported.reference) {
    const statements = keepStatements(deps, provider, reported, event, now, 'other_payment')
    return { statements, answer: { ...unchanged, fault: `${reported.reference} is not its payment` } }
  }
  const { decision, fault, is_short, is_foreign } = judge(provider, order, reported)
  const { next_status } = decision
  const orphaned = endOrphanedMandate(deps, order, is_short ? reported.mandate : null, now)
  const notices = arrivalEffects(deps, facts, decision, now)
  const effects = [...orphaned.effects, ...notices]
  const common = [
    ...rememberStatements(deps, provider, reported, event, now),
    ...noteStatements(deps, facts, reported, decision, now),
    ...(is_foreign ? keepStatements(deps, provider, reported, event, now, 'other_currency') : []),
    ...orphaned.statements,
  ]
  if (next_status === 'paid')
    return deliver(deps, facts, settled, now, { reported, decision, common, effects })
  if (next_status === null) {
    const again =
      decision.ask_again && event !== null
        ? [changeOrderStatement(deps.db, order.id, { polls: 0, nextPollAt: now + pollPauseMs(0) })]
        : []
    return { statements: [...common, ...again], effects, answer: { ...unchanged, fault } }
  }
  const nextPollAt = isOpenOrder(next_status) ? now + pollPauseMs(0) : null
  return {
    statements: [
      ...common,
      ...orderTransitionStatements(deps.db, order, next_status, { polls: 0, nextPollAt }, now),
    ],
    effects,
    answer: { status: next_status, fault },
  }
}

/** Checks whether an event repeats the payment for which an order was delivered. */
function isOfDelivery({ creditedAt, providerReference }: StoredOrder, { reference }: PaymentEvent): boolean {
  return creditedAt !== null && providerReference === reference
}

const NOTHING = { statements: [], effects: [] }

/** Neither delivers nor changes an order whose account is deleted: its money waits, or is paid back. */
function refuseDeleted(
  deps: Deps,
  provider: Pick<PaymentProvider, 'name'>,
  { reported, event }: { reported: PaymentEvent; event: Event },
  { order, delivery }: PaymentFacts,
  now: number,
): CreditsDecision<PaymentResult> {
  const { id: order_id, itemName: item_name, consentLocale } = order
  const notice = { order_id, item_name, locale: consentLocale ?? delivery.locale }
  const hasMoney = carriesMoney(reported)
  const late = hasMoney
    ? keepLateMoney(deps, { provider: provider.name, reported, event, notice }, now)
    : NOTHING
  const orphaned = endOrphanedMandate(deps, order, reported.mandate, now)
  return {
    statements: [
      ...rememberStatements(deps, provider, reported, event, now),
      ...late.statements,
      ...orphaned.statements,
    ],
    effects: [...late.effects, ...orphaned.effects],
    answer: { status: order.status, fault: hasMoney ? 'it was paid after its account was deleted' : null },
  }
}

function deliver(
  deps: Deps,
  { order, delivery }: PaymentFacts,
  settled: Credits,
  now: number,
  {
    reported,
    decision,
    common,
    effects,
  }: { reported: PaymentEvent; decision: PaymentDecision; common: Statement[]; effects: Effect[] },
): CreditsDecision<PaymentResult> {
  const { mandate, charged } = reported
  const payment = { mandate, charged, paid_cents: decision.actually_paid_cents }
  const totals = chargedFields(charged)
  const providerReference = order.providerReference ?? reported.reference
  const delivered = deliverOrder(
    deps,
    { ...order, ...totals, providerReference },
    delivery,
    settled,
    now,
    payment,
  )
  const fields = {
    ...totals,
    creditedAt: now,
    extendsTerm: delivered.extended,
    nextPollAt: null,
  }
  return {
    change: delivered.change,
    statements: [
      ...common,
      ...orderTransitionStatements(deps.db, order, 'paid', fields, now),
      ...delivered.statements,
    ],
    effects: [...effects, ...delivered.effects],
    answer: { status: 'paid', fault: decision.fault ?? missingMandate(order, reported) },
  }
}

function missingMandate({ autoRenew }: StoredOrder, { mandate }: PaymentEvent): string | null {
  return autoRenew && mandate === null
    ? 'it should renew automatically, but its payment created no mandate'
    : null
}

/**
 * Decides how an event changes an order. A payment in another currency counts as zero. The mandate of an underpaid
 * order must not charge again, because credits granted by an administrator do not renew.
 */
function judge(
  { kind }: Pick<PaymentProvider, 'kind'>,
  order: StoredOrder,
  reported: PaymentEvent,
): { decision: PaymentDecision; fault: string | null; is_short: boolean; is_foreign: boolean } {
  const isForeign = reported.currency !== null && reported.currency !== order.currency
  const decision = decidePayment(
    {
      status: order.status,
      amount_cents: order.amountCents,
      actually_paid_cents: order.actuallyPaidCents,
      refused_cents: order.refusedCents,
    },
    isForeign ? { ...reported, paid_cents: 0 } : reported,
    kind,
  )
  const after = decision.next_status ?? order.status
  return {
    decision,
    fault: isForeign ? `it was paid in ${reported.currency}, not in ${order.currency}` : decision.fault,
    is_short: after === 'partially_paid' || after === 'refused' || (isForeign && reported.state === 'paid'),
    is_foreign: isForeign,
  }
}

function rememberStatements(
  { db }: Deps,
  provider: Pick<PaymentProvider, 'name'>,
  { order_id, kind }: PaymentEvent,
  event: Event,
  now: number,
): Statement[] {
  if (event === null) return []
  return [
    rememberEventStatement(db, {
      provider: provider.name,
      id: event.id,
      about: order_id,
      kind,
      createdAt: now,
    }),
  ]
}
