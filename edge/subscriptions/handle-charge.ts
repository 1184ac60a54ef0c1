import type { CreditsDecision } from '../credits/change-credits.ts'
import type { Credits } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { deliverOrder } from '../orders/deliver.ts'
import { insertOrderStatements, type StoredOrder } from '../orders/queries.ts'
import type { RenewalEvent } from '../payments/provider.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { endMandateEffect } from './end-mandate.ts'
import type { RenewalFacts } from './facts.ts'
import { makeRenewalOrder } from './renewal-order.ts'
import { applyCharge, isRenewing, keepTerm } from './rules/renewal.ts'
import { isRunning } from './rules/terms.ts'
import type { StoredSubscription } from './term-queries.ts'
import { termOf, termTransition } from './transition.ts'

interface Charge {
  reported: RenewalEvent
  occurred_at: number
}

/** An anomaly that the operator should check; null if there is none. */
export type Fault = string | null

/**
 * Handles a successful charge. Its months extend the mandate's term. If that term has ended, the months are
 * delivered like those of any other order, and the mandate is ended again.
 */
export function handleCharge(
  deps: Deps,
  { reported, occurred_at }: Charge,
  facts: RenewalFacts,
  settled: Credits,
  now: number,
  common: Statement[],
): CreditsDecision<Fault> {
  const { delivery, origin, subscription: own } = facts
  const order = makeRenewalOrder(own, origin, reported, { now, occurred_at })
  const open = delivery.subscription
  const held = open && goingOn(open, own, now)
  const running = held !== null && isRunning(termOf(held), now) ? held : null
  const noted = open && running ? noteCharge(deps, own, order, { open, now }) : NOTHING
  const subscription = running === null ? open : { ...running, renewsAt: noted.renews_at }
  const payment = { mandate: null, charged: reported.charged, paid_cents: order.actuallyPaidCents }
  const delivered = deliverOrder(deps, order, { ...delivery, subscription }, settled, now, payment)
  const again = running?.id === own.id ? [] : endAgain(own)
  return {
    change: delivered.change,
    statements: [
      ...common,
      ...insertOrderStatements(deps.db, { ...order, extendsTerm: delivered.extended }),
      ...delivered.statements,
      ...noted.statements,
    ],
    effects: [...delivered.effects, ...noted.effects, ...again],
    answer: findFault(own, order),
  }
}

/**
 * Returns the open term. If it is the mandate's term and still renews, it counts as running however late the charge
 * is reported.
 */
function goingOn(open: StoredSubscription, own: StoredSubscription, now: number): StoredSubscription {
  if (open.id !== own.id || !isRenewing(termOf(open))) return open
  return { ...open, graceUntil: Math.max(open.graceUntil ?? 0, now + 1) }
}

const NOTHING = { statements: [], effects: [], renews_at: null }

/**
 * Returns a transition of the term that receives the months, so concurrent changes cannot both commit. The renewal
 * advances only if that term is the mandate's term.
 */
function noteCharge(
  deps: Deps,
  own: StoredSubscription,
  order: StoredOrder,
  { open, now }: { open: StoredSubscription; now: number },
): { statements: Statement[]; effects: Effect[]; renews_at: number | null } {
  const cycle_ms = (order.months ?? 0) * (order.periodDays ?? 0) * DAY_MS
  const term = termOf(open)
  const transition = open.id === own.id ? applyCharge(term, cycle_ms) : keepTerm(term)
  return {
    ...termTransition(deps, open, transition, `order:${order.id}`, now),
    renews_at: transition.renews_at,
  }
}

function endAgain({ provider, mandate }: StoredSubscription): Effect[] {
  return mandate === null ? [] : [endMandateEffect({ provider, mandate })]
}

/** Describes an anomaly in a charge. The months are delivered anyway, because the money was taken. */
function findFault(own: StoredSubscription, { amountCents, actuallyPaidCents, currency }: StoredOrder) {
  const { renewalAmountCents, renewalCurrency } = own
  if (!isRenewing(termOf(own))) return `charged ${actuallyPaidCents} cents after its end`
  if (
    actuallyPaidCents === amountCents &&
    amountCents === renewalAmountCents &&
    currency === renewalCurrency
  ) {
    return null
  }
  return `charged ${actuallyPaidCents} ${currency} cents instead of ${renewalAmountCents} ${renewalCurrency}`
}
