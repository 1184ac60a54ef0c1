import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunningTerm } from '../../subscriptions/rules/terms.ts'
import { ALLOWANCE_MS, type AllowanceFacts, nextAllowance, settle } from './allowance.ts'
import type { Credits } from './ledger.ts'

const EMPTY: Credits = { sequence: 0, balance: 0, grants: [] }
const NOW = 1_000_000_000
const RUNNING: RunningTerm = {
  id: 'term',
  plan_id: 1,
  plan_name: 'Pro',
  renewal_status: 'off',
  period_end: NOW + 1,
  grace_until: null,
  limits: { priority: 1, requests_per_minute: 1, requests_per_day: 1, in_flight_max: 1, throttled: false },
  undelivered: [],
}

function facts(changed: Partial<AllowanceFacts> = {}, settings: Partial<AllowanceFacts['settings']> = {}) {
  return {
    account_id: 7,
    now: NOW,
    allowance_until: null,
    email_verified: false,
    term: null,
    ...changed,
    settings: { daily_free_credits: 20, daily_free_unconfirmed: true, ...settings },
  }
}

describe('the daily allowance', () => {
  test.each([
    ['the first', facts(), true],
    ['the last one expired just now', facts({ allowance_until: NOW }), true],
    ['the last one expired long ago', facts({ allowance_until: 5 }), true],
    ['the last one is still valid', facts({ allowance_until: NOW + 1 }), false],
    ['a paid plan is active', facts({ term: RUNNING }), false],
    ['the account is unverified', facts({}, { daily_free_unconfirmed: false }), false],
    ['confirmed', facts({ email_verified: true }, { daily_free_unconfirmed: false }), true],
    ['switched off', facts({}, { daily_free_credits: 0 }), false],
  ])('is due or not: %s', (_name, given, lands) => {
    const { entries, credits } = settle(EMPTY, given)
    expect(credits.balance).toBe(lands ? 20 : 0)
    expect(entries).toHaveLength(lands ? 1 : 0)
    if (lands) {
      expect(entries[0]).toMatchObject({
        entry_type: 'daily_free',
        expires_at: NOW + ALLOWANCE_MS,
        cause: '7:daily:1',
      })
    }
  })
})

describe('the next daily allowance', () => {
  test.each([
    ['a day after the one that just landed', facts(), NOW + ALLOWANCE_MS],
    ['when the last one expires', facts({ allowance_until: NOW + 5 }), NOW + 5],
  ])('lands %s', (_name, given, lands_at) => {
    expect(nextAllowance(given)).toEqual({ credits: 20, lands_at })
  })

  test.each([
    ['during a paid plan', facts({ term: RUNNING, allowance_until: NOW + 5 })],
    ['on an unconfirmed account, if settings say so', facts({}, { daily_free_unconfirmed: false })],
    ['while it is switched off', facts({}, { daily_free_credits: 0 })],
  ])('does not land %s', (_name, given) => {
    expect(nextAllowance(given)).toBeNull()
  })
})

describe('at the start of a new day', () => {
  const yesterday: Credits = {
    sequence: 4,
    balance: 13,
    grants: [
      { sequence: 1, kind: 'daily_free', left: 8, expires_at: NOW },
      { sequence: 2, kind: 'purchase', left: 5, expires_at: null },
    ],
  }

  test('the old allowance expires before the new one lands: nothing accumulates', () => {
    const { entries, credits } = settle(yesterday, facts({ allowance_until: NOW }))
    expect(
      entries.map(({ entry_type, amount, balance_after }) => [entry_type, amount, balance_after]),
    ).toEqual([
      ['expire', -8, 5],
      ['daily_free', 20, 25],
    ])
    expect(credits.balance).toBe(25)
  })

  test('the old allowance still expires on a paid plan', () => {
    expect(settle(yesterday, facts({ allowance_until: NOW, term: RUNNING })).credits.balance).toBe(5)
  })
})

test('at most one allowance is held and one lands per day, however often it is checked', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 * ALLOWANCE_MS), { maxLength: 30 }), (pauses) => {
      let credits = EMPTY
      let allowance_until: number | null = null
      let now = NOW
      for (const pause of pauses) {
        now += pause
        const change = settle(credits, facts({ now, allowance_until }))
        credits = change.credits
        const landed = change.entries.filter(({ entry_type }) => entry_type === 'daily_free')
        expect(landed.length).toBe(allowance_until === null || allowance_until <= now ? 1 : 0)
        if (landed.length > 0) allowance_until = now + ALLOWANCE_MS
        expect(credits.balance).toBe(20)
      }
    }),
    { seed: 3 },
  )
})
