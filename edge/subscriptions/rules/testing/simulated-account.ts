import { settle } from '../../../credits/rules/allowance.ts'
import {
  andThen,
  type Change,
  type Credits,
  charge,
  type Entry,
  type Grant,
  unchanged,
} from '../../../credits/rules/ledger.ts'
import { type PriceLock, rateOf } from '../../../offers/rules/prices.ts'
import { type Bought, deliverPurchase } from '../../../orders/rules/delivery.ts'
import {
  advanceTerm,
  applyCharge,
  closeTerm,
  endMandate,
  failCharge,
  isNoticeDue,
  isRenewing,
  noticePeriodMs,
  type RenewingTerm,
  type TermTransition,
} from '../renewal.ts'
import { endOf, isRunning, type TermMonth, withdrawMonths } from '../terms.ts'
import { openMandate, type SimulatedEvent, type SimulatedMandate } from './simulated-provider.ts'

const DAY_MS = 24 * 60 * 60 * 1000
export const PERIOD_DAYS = 30
const GRACE_DAYS = 7
const SETTINGS = { daily_free_credits: 20, daily_free_unconfirmed: true }
export const NOTICES = {
  subscriptions_renewal_notice_days_annual: 30,
  subscriptions_renewal_notice_days_short: 7,
}
const LIMITS = {
  priority: 1,
  requests_per_minute: 1,
  requests_per_day: 1,
  in_flight_max: 1,
  throttled: false,
}

export interface SimulatedTerm extends RenewingTerm {
  id: string
  months: TermMonth[]
  withdrawn: TermMonth[]
  mandate: SimulatedMandate | null
  renewal_months: number
  noticed_for: number | null
  ended_at: number | null
  /** References of the charges that extended the term. `notices` lists the announced charges. */
  landed: string[]
  notices: { at: number; renews_at: number }[]
}

export interface PaidOrder {
  id: string
  rate_cents: number
  months: number
}

/** An account that uses only the pure rules, with plain values in place of a database. */
export class SimulatedAccount {
  now: number
  readonly id: number
  sequence = 0
  balance = 0
  allowance_until: number | null = null
  readonly entries: (Entry & { at: number })[] = []
  readonly grants = new Map<number, Grant & { amount: number }>()
  readonly terms: SimulatedTerm[] = []
  readonly orders: PaidOrder[] = []
  lock: PriceLock | null = null

  constructor(id: number, now: number) {
    this.id = id
    this.now = now
  }

  /** The open term. */
  get term(): SimulatedTerm | null {
    return this.terms.find(({ ended_at }) => ended_at === null) ?? null
  }

  get credits(): Credits {
    const grants = [...this.grants.values()].filter(({ left }) => left > 0)
    return { sequence: this.sequence, balance: this.balance, grants }
  }

  /**
   * Applies a change of credits the way the services do: first brings the credits up to date, and then writes what
   * `decide` adds.
   */
  change(decide: (settled: Credits) => Change | null = unchanged): boolean {
    const { term, now, allowance_until } = this
    const running = term && {
      ...term,
      plan_id: 1,
      plan_name: 'Plan',
      limits: LIMITS,
      undelivered: term.months.filter(({ delivered }) => !delivered),
    }
    const facts = { account_id: this.id, now, allowance_until, email_verified: true, term: running }
    const settled = settle(this.credits, { ...facts, settings: SETTINGS })
    const decided = decide(settled.credits)
    this.write(decided === null ? settled : andThen(settled, () => decided))
    return decided !== null
  }

  private write({ entries }: Change): void {
    for (const entry of entries) {
      this.entries.push({ ...entry, at: this.now })
      this.sequence = entry.sequence
      this.balance = entry.balance_after
      if (entry.entry_type === 'daily_free') this.allowance_until = entry.expires_at
      if (entry.grant) this.grants.set(entry.sequence, { ...entry.grant, amount: entry.grant.left })
      for (const { grant_sequence, amount } of entry.allocations) {
        const held = this.grants.get(grant_sequence)
        if (held === undefined || held.left + amount < 0) throw new Error('a grant gave more than it held')
        held.left += amount
      }
      if (entry.delivers) this.noteDelivery(entry.delivers)
    }
  }

  private noteDelivery({ subscription_id, number }: NonNullable<Entry['delivers']>): void {
    const term = this.terms.find(({ id }) => id === subscription_id)
    const month = term?.months.find((each) => each.number === number)
    if (month === undefined || month.delivered) throw new Error(`${subscription_id}:${number} cannot land`)
    month.delivered = true
  }

  spend(amount: number): void {
    this.change((credits) => charge(credits, amount, { cause: `job:${this.id}:${this.sequence}` }))
  }

  /**
   * Buys a pack, months of a plan, or both, at the current price.
   * @param renews whether the purchase creates a mandate.
   */
  buy(bought: {
    months: number
    pack: number | null
    list_cents: number
    list_credits: number
    renews: boolean
  }) {
    const id = `order:${this.id}:${this.orders.length + 1}`
    const rate = this.rateAt(bought.list_cents, bought.list_credits)
    const plan = {
      months: bought.months,
      credits_per_month: rate.credits_per_month,
      period_days: PERIOD_DAYS,
    }
    const order: Bought = { order_id: id, pack_credits: bought.pack, plan: bought.months > 0 ? plan : null }
    this.orders.push({ id, rate_cents: rate.monthly_rate_cents, months: bought.months })
    if (order.plan !== null) this.lock ??= rate
    this.deliver(order, bought.renews)
  }

  rateAt(price_cents: number, period_credits: number): PriceLock {
    const priced = { id: 1, name: 'Plan', badge: null, currency: 'USD', promotions: [], history: [] }
    const terms = { slug: 'plan', period_days: PERIOD_DAYS, priority: 1, terms: [], lock: this.lock }
    return rateOf({ ...priced, ...terms, price_cents, period_credits })
  }

  private deliver(order: Bought, renews: boolean, goesOn = false): void {
    this.change((settled) => {
      const running = this.runningTerm(goesOn)
      if (order.plan !== null && running === null) this.closeStaleTerm()
      const term = running ?? this.makeTerm(order.plan?.months ?? 0, renews)
      const numbers = [...term.months, ...term.withdrawn].map(({ number }) => number)
      const target = { id: term.id, months: term.months, last_number: Math.max(0, ...numbers) }
      const { change, months, period_end } = deliverPurchase(settled, order, target, this.now)
      if (period_end === null) return change
      if (running === null) this.terms.push(term)
      term.months.push(...months)
      term.period_end = period_end
      if (running === null && term.mandate !== null) term.renews_at = period_end
      return change
    })
  }

  private runningTerm(goesOn: boolean): SimulatedTerm | null {
    const { term } = this
    return term !== null && (goesOn || isRunning(term, this.now)) ? term : null
  }

  private closeStaleTerm(): void {
    const { term } = this
    if (term !== null) this.move(term, closeTerm(term, this.now))
  }

  private makeTerm(months: number, renews: boolean): SimulatedTerm {
    const id = `term:${this.id}:${this.terms.length + 1}`
    return {
      id,
      months: [],
      withdrawn: [],
      mandate: renews ? openMandate(`mandate:${id}`, this.now, months * PERIOD_DAYS * DAY_MS) : null,
      renewal_months: months,
      renewal_status: renews ? 'active' : 'off',
      period_end: this.now,
      renews_at: null,
      grace_until: null,
      noticed_for: null,
      ended_at: null,
      landed: [],
      notices: [],
    }
  }

  private move(term: SimulatedTerm, { ends_mandate, ...fields }: TermTransition): void {
    Object.assign(term, fields)
    if (ends_mandate && term.mandate !== null) term.mandate.next_charge_at = null
  }

  /** Handles a charge event the way the webhook service does. */
  handleEvent({ mandate, reference, state, occurred_at }: SimulatedEvent): void {
    const own = this.terms.find((term) => term.mandate?.id === mandate)
    if (own === undefined) throw new Error(`nobody holds ${mandate}`)
    if (own.landed.includes(reference)) return
    if (state === 'failed') {
      const last = own.mandate?.charges.find((each) => each.reference === own.landed.at(-1))
      const move = last && occurred_at < last.at ? null : failCharge(own, GRACE_DAYS)
      if (move !== null && own.ended_at === null) this.move(own, move)
      return
    }
    own.landed.push(reference)
    const credits_per_month = this.lock?.credits_per_month ?? 0
    const plan = { months: own.renewal_months, credits_per_month, period_days: PERIOD_DAYS }
    const goesOn = own === this.term && isRenewing(own)
    this.deliver({ order_id: `order:${reference}`, pack_credits: null, plan }, false, goesOn)
    if (own.ended_at === null) this.move(own, applyCharge(own, plan.months * PERIOD_DAYS * DAY_MS))
  }

  /** Runs the scheduled handler: unreported charges, elapsed time, notices, and months that have started. */
  runScheduled(): void {
    const { term, now } = this
    this.visit()
    if (term === null) return
    const isDue = term.renews_at !== null && term.renews_at + 60 * 60 * 1000 <= now
    for (const { reference, at } of isDue ? (term.mandate?.charges ?? []) : []) {
      const event = { mandate: `mandate:${term.id}`, reference, state: 'paid', occurred_at: at } as const
      this.handleEvent({ ...event, delivered_at: now })
    }
    this.visit()
    const move = advanceTerm(term, GRACE_DAYS, now)
    if (move !== null && term.ended_at === null) this.move(term, move)
    const period_ms = noticePeriodMs({ months: term.renewal_months, period_days: PERIOD_DAYS }, NOTICES)
    if (term.ended_at !== null || !isNoticeDue(term, period_ms, now)) return
    term.noticed_for = term.renews_at
    term.notices.push({ at: now, renews_at: term.renews_at ?? 0 })
  }

  visit(): void {
    this.change()
  }

  cancel(): void {
    const move = this.term && endMandate(this.term)
    if (this.term && move) this.move(this.term, move)
  }

  /** Withdraws an order's undelivered months and ends the renewal. */
  withdraw(orderId: string): void {
    this.visit()
    const { term } = this
    if (term === null || !term.months.some(({ order_id }) => order_id === orderId)) return
    const { withdrawn, kept } = withdrawMonths(term.months, orderId)
    term.months = kept
    term.withdrawn.push(...withdrawn)
    term.period_end = endOf(kept) ?? term.period_end
    this.cancel()
  }
}
