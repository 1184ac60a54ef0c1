import { deliverMonth } from '../../credits/rules/allowance.ts'
import { andThen, type Change, type Credits, grant, unchanged } from '../../credits/rules/ledger.ts'
import { addMonths, dueMonths, endOf, type TermMonth } from '../../subscriptions/rules/terms.ts'
import { type OrderMoney, usableCents } from './payment.ts'

/** The contents of an order: credits of a pack, months of a plan, or both in a bundle. */
export interface Bought {
  order_id: string
  pack_credits: number | null
  plan: { months: number; credits_per_month: number; period_days: number } | null
}

/** The fixed amounts of an order that determine its contents. */
export interface SoldOrder {
  id: string
  kind: 'package' | 'subscription'
  credits: number
  months: number | null
  creditsPerMonth: number | null
  periodDays: number | null
  bundleCredits: number | null
}

export function boughtBy(order: SoldOrder): Bought {
  const { id, months, creditsPerMonth, periodDays } = order
  if (order.kind === 'package') return { order_id: id, pack_credits: order.credits, plan: null }
  if (months === null || creditsPerMonth === null || periodDays === null) {
    throw new Error(`the order ${id} has no complete item`)
  }
  return {
    order_id: id,
    pack_credits: order.bundleCredits,
    plan: { months, credits_per_month: creditsPerMonth, period_days: periodDays },
  }
}

/** Scales the contents of an order to the share that was paid, in whole credits per month and per pack. */
export function shareOf(bought: Bought, paid_cents: number, amount_cents: number): Bought {
  const part = (credits: number) => Math.floor((credits * Math.min(paid_cents, amount_cents)) / amount_cents)
  const { plan, pack_credits } = bought
  return {
    ...bought,
    pack_credits: pack_credits === null ? null : part(pack_credits),
    plan: plan && { ...plan, credits_per_month: part(plan.credits_per_month) },
  }
}

/** Returns the total credits in the order. A small share of the price may buy none. */
export function creditsOf({ pack_credits, plan }: Bought): number {
  return (pack_credits ?? 0) + (plan === null ? 0 : plan.months * plan.credits_per_month)
}

/**
 * Returns the credits that a surplus buys at the price of its order. Counts them together with those already
 * delivered, so that several surpluses lose no more to rounding than one.
 */
export function creditsForSurplus(order: SoldOrder & OrderMoney, surplus_cents: number): number {
  const total = BigInt(creditsOf(boughtBy(order)))
  const creditsFor = (cents: number) => (total * BigInt(cents)) / BigInt(order.amountCents)
  const used = usableCents(order)
  return Number(creditsFor(used + surplus_cents) - creditsFor(used))
}

/** Checks that each part of the order contains credits, so nobody pays for an empty plan or pack. */
export function holdsAllHalves({ pack_credits, plan }: Bought): boolean {
  return pack_credits !== 0 && plan?.credits_per_month !== 0
}

/** The term to extend: the running term, or a new term without months. */
export interface TermToExtend {
  id: string
  /** Months that have not been withdrawn. */
  months: readonly TermMonth[]
  /** The highest month number ever used, including withdrawn months; 0 if there are none. */
  last_number: number
}

export interface Delivery {
  change: Change
  /** The added months. `change` delivers those that have already started. */
  months: TermMonth[]
  /** The new end of the term; null if no months were bought. */
  period_end: number | null
}

/**
 * Applies a paid order to settled credits. A pack is delivered immediately and never expires; each month is
 * delivered when it starts. Each month and pack has a unique cause, so it is granted only once. Contract: Purchase
 * rule 4.
 */
export function deliverPurchase(settled: Credits, bought: Bought, term: TermToExtend, now: number): Delivery {
  const packs = andThen(unchanged(settled), (credits) => deliverPack(credits, bought))
  const { plan } = bought
  if (plan === null || plan.credits_per_month === 0) return { change: packs, months: [], period_end: null }
  const last = Math.max(0, ...term.months.map(({ number }) => number))
  const months = addMonths(term.months, { ...plan, order_id: bought.order_id }, now).map((month) => ({
    ...month,
    number: month.number - last + Math.max(last, term.last_number),
  }))
  const change = dueMonths(months, now).reduce<Change>(
    (soFar, month) => andThen(soFar, (credits) => deliverMonth(credits, term.id, month)),
    packs,
  )
  return { change, months, period_end: endOf(months) }
}

function deliverPack(credits: Credits, { order_id, pack_credits }: Bought): Change {
  if (pack_credits === null || pack_credits === 0) return unchanged(credits)
  return grant(credits, {
    kind: 'purchase',
    amount: pack_credits,
    expires_at: null,
    order_id,
    cause: `order:${order_id}:pack`,
  })
}
