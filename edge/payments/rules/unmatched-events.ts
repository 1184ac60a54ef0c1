/** Subjects of an unmatched event: the payment of an order, a charge of a mandate, or a mandate itself. */
export const UNMATCHED_KINDS = ['payment', 'renewal', 'mandate'] as const

/**
 * How an unmatched event was settled: applied to a term automatically, superseded by a larger amount of the same
 * payment, resolved by an administrator, paid back by its provider, or its checkout was closed.
 */
export const EVENT_OUTCOMES = [
  'applied',
  'superseded',
  'granted',
  'dismissed',
  'paid_back',
  'closed',
] as const
export type EventOutcome = (typeof EVENT_OUTCOMES)[number]

/**
 * Why an event is kept: its order or mandate is unknown, it is not the payment of its order, it is in another currency,
 * its account is deleted, or the checkout of a deleted account could not be closed.
 */
export const EVENT_REASONS = [
  'unknown',
  'other_payment',
  'other_currency',
  'account_deleted',
  'checkout_open',
] as const
export type EventReason = (typeof EVENT_REASONS)[number]

type Event =
  | { kind: 'payment'; state: string; paid_cents: number }
  | { kind: 'renewal'; state: string; amount_cents: number }
  | { kind: 'mandate'; state: string }

/** Checks whether an event reports received money, which an administrator must decide about. */
export function carriesMoney(event: Event): boolean {
  if (event.kind === 'renewal') return event.state === 'paid'
  const hasArrived = event.state === 'paid' || event.state === 'partially_paid'
  return event.kind === 'payment' && hasArrived && event.paid_cents > 0
}

type Granted =
  | { kind: 'payment'; reference: string; paid_cents: number }
  | { kind: 'renewal'; reference: string; amount_cents: number }
  | { kind: 'mandate' }

/**
 * Returns the cause under which the credits of an event are booked. It names the payment instead of the row, so the same
 * money is granted once, also if a restored database lost the row and the event is kept again.
 */
export function causeOfGrant(row: { id: number; provider: string; about: string; event: Granted }): string {
  const { id, provider, about, event } = row
  if (event.kind === 'mandate') return `unmatched_event:${id}`
  const amount = event.kind === 'payment' ? event.paid_cents : event.amount_cents
  return `unmatched_event:${provider}:${about}:${event.reference}:${amount}`
}

/** Returns the id in the outbox of the effect that grants credits of this cause. */
export const grantEffectId = (cause: string) => `grant:${cause}`
