import { describe, expect, test } from 'vitest'
import type { Credits } from '../../credits/rules/ledger.ts'
import { addUpExpired, allowanceEnd, erasedAddress, isErasedAddress } from './deletion.ts'

const HELD: Credits = {
  sequence: 5,
  balance: 1670,
  grants: [
    { sequence: 1, kind: 'daily_free', left: 20, expires_at: 5000 },
    { sequence: 2, kind: 'signup_bonus', left: 50, expires_at: 9000 },
    { sequence: 3, kind: 'subscription', left: 1000, expires_at: 9000 },
    { sequence: 4, kind: 'purchase', left: 500, expires_at: null },
    { sequence: 5, kind: 'adjust', left: 100, expires_at: null },
  ],
}

describe('the credits of a deleted account', () => {
  test('count as paid if they were bought, including months that were not delivered', () => {
    expect(addUpExpired(HELD, [])).toEqual({ expired_credits: 1670, expired_paid_credits: 1500 })
    expect(addUpExpired(HELD, [{ credits: 1000 }, { credits: 1000 }])).toEqual({
      expired_credits: 3670,
      expired_paid_credits: 3500,
    })
    expect(addUpExpired({ sequence: 0, balance: 0, grants: [] }, [])).toEqual({
      expired_credits: 0,
      expired_paid_credits: 0,
    })
  })

  test.each([
    ['of the grant', 1000, null, 5000],
    ['that is already spent', 1000, 7000, 7000],
    ['that has expired', 6000, 5000, null],
  ])('the daily allowance %s ends when it expires', (_name, now, known, end) => {
    expect(allowanceEnd(HELD, known, now)).toBe(end)
  })
})

test('an erased address is unique, can receive nothing, and is recognized', () => {
  expect(erasedAddress(7)).not.toBe(erasedAddress(8))
  expect(isErasedAddress(erasedAddress(7))).toBe(true)
  expect(isErasedAddress('ada@example.com')).toBe(false)
})
