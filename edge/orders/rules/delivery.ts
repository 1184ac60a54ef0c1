import { deliverMonth } from '../../credits/rules/allowance.ts'
import { andThen, type Change, type Credits, grant, unchanged } from '../../credits/rules/ledger.ts'
import { addMonths, dueMonths, endOf, type TermMonth } from '../../subscriptions/rules/terms.ts'

/** What an order bought: credits of a pack, months of a plan, or both in a bundle. */
export interface Bought {
  order_id: string
  pack_credits: number | null
  plan: { months: number; credits_per_month: number; period_days: number } | null
}

/** The frozen figures of an order that say what is in it. */
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
    throw new Error(`the order ${id} does not say what it bought`)
  }
  return {
    order_id: id,
    pack_credits: order.bundleCredits,
    plan: { months, credits_per_month: creditsPerMonth, period_days: periodDays },
  }
}

/** What a part of the price buys of it: each month's credits and the pack's, in whole credits. */
export function shareOf(bought: Bought, paid_cents: number, amount_cents: number): Bought {
  const part = (credits: number) => Math.floor((credits * Math.min(paid_cents, amount_cents)) / amount_cents)
  const { plan, pack_credits } = bought
  return {
    ...bought,
    pack_credits: pack_credits === null ? null : part(pack_credits),
    plan: plan && { ...plan, credits_per_month: part(plan.credits_per_month) },
  }
}

/** Whether it holds any credits: a small part of a price may buy not even one. */
export function creditsOf({ pack_credits, plan }: Bought): number {
  return (pack_credits ?? 0) + (plan === null ? 0 : plan.months * plan.credits_per_month)
}

/** Whether each half of it holds credits: a plan of no credits, or a pack of none, would be paid for in vain. */
export function holdsAllHalves({ pack_credits, plan }: Bought): boolean {
  return pack_credits !== 0 && plan?.credits_per_month !== 0
}

/** The term that months are added to: the one that runs, or one that opens now and has none yet. */
export interface TermToExtend {
  id: string
  /** Those that are not withdrawn. */
  months: readonly TermMonth[]
  /** The highest number ever given, to a month that was withdrawn as well; 0: none. */
  last_number: number
}

export interface Delivery {
  change: Change
  /** The months that were added; those that have begun are delivered by `change`. */
  months: TermMonth[]
  /** When the term ends now; null where no months were bought. */
  period_end: number | null
}

/**
 * Delivers an order that is paid, onto credits from which all that lapsed is taken out: a pack's credits at
 * once and for good; months one at a time, the first as it has begun. Each month and each pack has one
 * cause, so that it lands once. Contract: Purchase rule 4.
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
