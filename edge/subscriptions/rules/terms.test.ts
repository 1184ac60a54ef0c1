import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RenewalState } from './states.ts'
import {
  accessEnd,
  addMonths,
  CHARGE_PATIENCE_MS,
  closeGaps,
  dueMonths,
  endOf,
  isRunning,
  type TermMonth,
  withdrawMonths,
} from './terms.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MONTH_MS = 30 * DAY_MS
const NOW = 1_800_000_000_000

const buy = (order_id: string, months: number, credits_per_month = 100) => ({
  order_id,
  months,
  credits_per_month,
  period_days: 30,
})

const dates = (months: readonly TermMonth[]) => months.map(({ starts_at, ends_at }) => [starts_at, ends_at])

describe('the months of an order', () => {
  test('of a new term begin now, consecutively', () => {
    expect(addMonths([], buy('a', 3), NOW)).toEqual([month(1, 'a', 0), month(2, 'a', 1), month(3, 'a', 2)])
  })

  test('of a running term are appended and leave the current one unchanged', () => {
    const held = addMonths([], buy('a', 2), NOW)
    expect(addMonths(held, buy('b', 2), NOW + 5 * DAY_MS)).toEqual([month(3, 'b', 2), month(4, 'b', 3)])
  })

  test('of a renewal during the grace begin where the last one ended', () => {
    const held = addMonths([], buy('a', 1), NOW)
    expect(addMonths(held, buy('b', 1), NOW + 35 * DAY_MS)).toEqual([month(2, 'b', 1)])
  })

  test('begin now when the first one would already be over', () => {
    const held = addMonths([], buy('a', 1), NOW)
    const late = NOW + 2 * MONTH_MS
    expect(addMonths(held, buy('b', 2), late)).toEqual([month(2, 'b', 2), month(3, 'b', 3)])
    expect(addMonths(held, buy('b', 1), late - 1)).toEqual([month(2, 'b', 1)])
  })
})

function month(number: number, order_id: string, index: number): TermMonth {
  const starts_at = NOW + index * MONTH_MS
  return { number, order_id, credits: 100, starts_at, ends_at: starts_at + MONTH_MS, delivered: false }
}

describe('withdrawing the months of an order', () => {
  const held = [
    { ...month(1, 'a', 0), delivered: true },
    month(2, 'a', 1),
    month(3, 'a', 2),
    month(4, 'b', 3),
    month(5, 'b', 4),
  ]

  test('keeps delivered months, and months of other orders move up', () => {
    const { withdrawn, kept } = withdrawMonths(held, 'a')
    expect(withdrawn.map(({ number }) => number)).toEqual([2, 3])
    expect(kept.map(({ number }) => number)).toEqual([1, 4, 5])
    expect(dates(kept)).toEqual(dates([month(1, 'a', 0), month(4, 'b', 1), month(5, 'b', 2)]))
  })

  test('at the end of the term shortens the term to the others', () => {
    expect(endOf(withdrawMonths(held, 'b').kept)).toBe(NOW + 3 * MONTH_MS)
  })

  test('with no later orders ends the term with the current month', () => {
    const only = held.slice(0, 3)
    expect(endOf(withdrawMonths(only, 'a').kept)).toBe(NOW + MONTH_MS)
  })
})

test('restored months follow those delivered since', () => {
  const first = { ...month(1, 'a', 0), delivered: true }
  const delivered = { ...month(3, 'b', 1), delivered: true }
  const dated = closeGaps([first, delivered, month(2, 'a', 1)])
  expect(dated.map(({ number }) => number)).toEqual([1, 2, 3])
  expect(dated.find(({ number }) => number === 2)?.starts_at).toBe(delivered.ends_at)
})

/** A term as the services maintain it: every change starts by bringing the term up to date. */
class PlayedTerm {
  now = NOW
  orders = 1
  months = addMonths([], buy('order:0', 1), NOW)
  gone: TermMonth[] = []
  readonly landed: number[] = []

  visit() {
    const due = dueMonths(this.months, this.now).map(({ number }) => number)
    this.landed.push(...due)
    this.months = this.months.map((month) =>
      due.includes(month.number) ? { ...month, delivered: true } : month,
    )
  }

  /** An expired term accepts no orders and gets no months back. */
  get isOver() {
    return (endOf(this.months) ?? 0) <= this.now
  }

  buy(months: number) {
    if (this.isOver) return
    const last = Math.max(...[...this.months, ...this.gone].map(({ number }) => number))
    const added = addMonths(this.months, buy(`order:${this.orders++}`, months), this.now)
    this.months.push(...added.map((month, index) => ({ ...month, number: last + 1 + index })))
  }

  withdraw(order: number) {
    const { withdrawn, kept } = withdrawMonths(this.months, `order:${order}`)
    this.months = kept
    this.gone.push(...withdrawn)
  }

  restore() {
    if (this.isOver) return
    this.months = closeGaps([...this.months, ...this.gone])
    this.gone = []
  }

  /** Returns the current month and the future ones, in order. */
  ahead() {
    const delivered = this.months.filter((month) => month.delivered).sort(byStart)
    return [...delivered.slice(-1), ...this.months.filter((month) => !month.delivered)].sort(byStart)
  }
}

const steps = fc.array(
  fc.oneof(
    fc.integer({ min: 1, max: 12 }).map((months) => (term: PlayedTerm) => term.buy(months)),
    fc.nat(20).map((order) => (term: PlayedTerm) => term.withdraw(order)),
    fc.constant((term: PlayedTerm) => term.restore()),
    fc.integer({ min: 0, max: 90 }).map((days) => (term: PlayedTerm) => {
      term.now += days * DAY_MS
    }),
  ),
  { maxLength: 40 },
)

test('months stay consecutive and land once, whatever is bought, withdrawn and restored', () => {
  fc.assert(
    fc.property(steps, (played) => {
      const term = new PlayedTerm()
      for (const step of played) {
        term.visit()
        step(term)
        const ahead = term.ahead()
        expect(ahead.every(({ starts_at, ends_at }) => ends_at - starts_at === MONTH_MS)).toBe(true)
        const starts = ahead.slice(1).map(({ starts_at }) => starts_at)
        expect(starts).toEqual(ahead.slice(0, -1).map(({ ends_at }) => ends_at))
      }
      term.now += 100 * 12 * MONTH_MS
      term.visit()
      expect(new Set(term.landed).size).toBe(term.landed.length)
      expect(term.landed.length).toBe(term.months.length)
    }),
    { seed: 5, numRuns: 300 },
  )
})

function byStart(one: TermMonth, other: TermMonth): number {
  return one.starts_at - other.starts_at
}

describe('the end of access', () => {
  const state = (renewal_status: RenewalState, grace_until: number | null = null) => ({
    renewal_status,
    period_end: NOW,
    grace_until,
  })
  test.each([
    ['off', state('off'), NOW],
    ['active: while the charge may still be reported', state('active'), NOW + CHARGE_PATIENCE_MS],
    ['past due: until the end of the grace', state('past_due', NOW + 7 * DAY_MS), NOW + 7 * DAY_MS],
    ['past due with prepaid months', state('past_due', NOW - DAY_MS), NOW],
    ['paused', state('paused'), NOW],
    ['cancelling', state('cancelling'), NOW],
    ['cancelled during a promised grace', state('cancelling', NOW + DAY_MS), NOW + DAY_MS],
  ])('%s', (_name, term, end) => {
    expect(accessEnd(term)).toBe(end)
    expect(isRunning(term, end - 1)).toBe(true)
    expect(isRunning(term, end)).toBe(false)
  })

  test('there is no access without a term', () => {
    expect(isRunning(null, NOW)).toBe(false)
  })
})
