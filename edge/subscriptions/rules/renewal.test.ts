import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  advanceTerm,
  applyCharge,
  closeTerm,
  endMandate,
  failCharge,
  isNoticeDue,
  isRenewing,
  keepTerm,
  noticePeriodMs,
  pauseMandate,
  type RenewingTerm,
  resumeMandate,
  type TermTransition,
} from './renewal.ts'
import { canTransitionRenewal, RENEWAL_STATES, type RenewalState } from './states.ts'
import { accessEnd, CHARGE_PATIENCE_MS } from './terms.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MONTH_MS = 30 * DAY_MS
const NOW = 1_800_000_000_000
const GRACE_DAYS = 7

function term(renewal_status: RenewalState, changed: Partial<RenewingTerm> = {}): RenewingTerm {
  const renews = isRenewing({ renewal_status })
  return { renewal_status, period_end: NOW, renews_at: renews ? NOW : null, grace_until: null, ...changed }
}

/** The state after the transition from each state; null if there is no transition. */
const TRANSITIONS: [
  string,
  (term: RenewingTerm) => TermTransition | null,
  Record<RenewalState, RenewalState | null>,
][] = [
  [
    'a charge that fails',
    (held) => failCharge(held, GRACE_DAYS),
    { off: null, active: 'past_due', past_due: null, paused: 'past_due', cancelling: null, ended: null },
  ],
  [
    'a charge that lands',
    (held) => applyCharge(held, MONTH_MS),
    {
      off: 'off',
      active: 'active',
      past_due: 'active',
      paused: 'active',
      cancelling: 'cancelling',
      ended: 'ended',
    },
  ],
  [
    'a cancellation',
    endMandate,
    {
      off: null,
      active: 'cancelling',
      past_due: 'cancelling',
      paused: 'cancelling',
      cancelling: null,
      ended: null,
    },
  ],
  [
    'a pause',
    pauseMandate,
    { off: null, active: 'paused', past_due: 'paused', paused: null, cancelling: null, ended: null },
  ],
  [
    'its end',
    resumeMandate,
    { off: null, active: null, past_due: null, paused: 'active', cancelling: null, ended: null },
  ],
]

describe.each(TRANSITIONS)('%s', (_name, move, expected) => {
  test.each(RENEWAL_STATES)('on a term that is %s has the documented transition', (status) => {
    expect(move(term(status))?.renewal_status ?? null).toBe(expected[status])
  })
})

describe('a failed charge', () => {
  test('starts the grace at the due date, whenever the months end', () => {
    const move = failCharge(term('active', { period_end: NOW + 5 * MONTH_MS }), GRACE_DAYS)
    expect(move).toEqual({
      renewal_status: 'past_due',
      renews_at: NOW,
      grace_until: NOW + 7 * DAY_MS,
      ended_at: null,
      ends_mandate: false,
    })
  })
})

describe('a successful charge', () => {
  test('clears the grace, and the next one is due a cycle after this one was', () => {
    const move = applyCharge(term('past_due', { grace_until: NOW + 7 * DAY_MS }), 3 * MONTH_MS)
    expect(move).toMatchObject({ grace_until: null, renews_at: NOW + 3 * MONTH_MS, ends_mandate: false })
  })

  test('on an ended mandate does not revive it, and ends it again', () => {
    expect(applyCharge(term('cancelling'), MONTH_MS)).toMatchObject({ renews_at: null, ends_mandate: true })
  })
})

test('a cancellation keeps the promised grace and ends the mandate', () => {
  const move = endMandate(term('past_due', { grace_until: NOW + DAY_MS }))
  expect(move).toMatchObject({ renews_at: null, grace_until: NOW + DAY_MS, ends_mandate: true })
})

describe('elapsed time', () => {
  const grace_until = NOW + 7 * DAY_MS
  const later = NOW + 3 * MONTH_MS
  test.each<[string, RenewingTerm, number, Partial<TermTransition> | null]>([
    ['keeps waiting for a charge to be reported', term('active'), NOW + CHARGE_PATIENCE_MS - 1, null],
    [
      'treats an unreported charge as failed',
      term('active'),
      NOW + CHARGE_PATIENCE_MS,
      { renewal_status: 'past_due', grace_until },
    ],
    ['keeps the grace', term('past_due', { grace_until }), grace_until - 1, null],
    [
      'closes a term after its grace and ends the mandate',
      term('past_due', { grace_until }),
      grace_until + DAY_MS,
      { renewal_status: 'ended', ended_at: grace_until, ends_mandate: true, renews_at: null },
    ],
    [
      'ends only the renewal when prepaid months remain',
      term('past_due', { grace_until, period_end: later }),
      grace_until,
      { renewal_status: 'cancelling', ended_at: null, ends_mandate: true, renews_at: null },
    ],
    ['keeps a running term', term('off'), NOW - 1, null],
    ['closes an expired term', term('off'), NOW, { renewal_status: 'ended', ended_at: NOW }],
    ['closes a cancelled term', term('cancelling'), later, { ended_at: NOW, ends_mandate: false }],
    ['closes a paused term and ends the mandate', term('paused'), NOW, { ends_mandate: true }],
  ])('%s', (_name, held, now, expected) => {
    const move = advanceTerm(held, GRACE_DAYS, now)
    if (expected === null) expect(move).toBeNull()
    else expect(move).toMatchObject(expected)
  })

  test('ends a term in at most three allowed transitions', () => {
    const terms = fc.record({
      renewal_status: fc.constantFrom(...RENEWAL_STATES.filter((status) => status !== 'ended')),
      months: fc.integer({ min: -3, max: 3 }),
      grace_days: fc.integer({ min: 0, max: 60 }),
    })
    fc.assert(
      fc.property(terms, ({ renewal_status, months, grace_days }) => {
        let held = term(renewal_status, { period_end: NOW + months * MONTH_MS })
        const end = NOW + 12 * MONTH_MS
        for (let count = 0; count < 3 && held.renewal_status !== 'ended'; count++) {
          const move = advanceTerm(held, grace_days, end)
          if (move === null) throw new Error(`${held.renewal_status} stays for ever`)
          expect(canTransitionRenewal(held.renewal_status, move.renewal_status)).toBe(true)
          held = { ...held, ...move }
        }
        expect(held.renewal_status).toBe('ended')
      }),
      { seed: 8 },
    )
  })
})

test('a closed term ended when its access did', () => {
  const held = term('past_due', { grace_until: NOW + DAY_MS })
  expect(closeTerm(held, NOW + MONTH_MS).ended_at).toBe(accessEnd(held))
  expect(keepTerm(held)).toMatchObject({ renewal_status: 'past_due', grace_until: NOW + DAY_MS })
})

describe('the notice before a charge', () => {
  const settings = {
    subscriptions_renewal_notice_days_annual: 30,
    subscriptions_renewal_notice_days_short: 7,
  }
  test.each([
    ['twelve months', { months: 12, period_days: 30 }, 30],
    ['more', { months: 24, period_days: 30 }, 30],
    ['eleven', { months: 11, period_days: 30 }, 7],
    ['one', { months: 1, period_days: 30 }, 7],
    ['a cycle shorter than the notice', { months: 1, period_days: 5 }, 5],
    ['twelve very short months', { months: 12, period_days: 2 }, 24],
  ])('of %s', (_name, cycle, days) => {
    expect(noticePeriodMs(cycle, settings)).toBe(days * DAY_MS)
  })

  const PERIOD_MS = 7 * DAY_MS
  const noticed = (changed: object) => ({ ...term('active'), noticed_for: null, ...changed })
  test.each([
    ['is due at its start', noticed({}), NOW - PERIOD_MS, true],
    ['is not due earlier', noticed({}), NOW - PERIOD_MS - 1, false],
    ['is due until the charge', noticed({}), NOW - 1, true],
    ['is not due after the charge', noticed({}), NOW, false],
    ['once', noticed({ noticed_for: NOW }), NOW - 1, false],
    ['is due again for the next charge', noticed({ noticed_for: NOW - MONTH_MS }), NOW - 1, true],
    ['is not due without a charge', noticed({ ...term('cancelling') }), NOW - 1, false],
    ['is not due while paused', noticed({ ...term('paused') }), NOW - 1, false],
  ])('%s', (_name, held, now, due) => {
    expect(isNoticeDue(held, PERIOD_MS, now)).toBe(due)
  })
})
