import { describe, expect, test } from 'vitest'
import { balanceParts, balanceSources, SOURCES_MAX } from './balance.ts'
import type { Grant } from './ledger.ts'

const daily: Grant = { sequence: 1, kind: 'daily_free', left: 20, expires_at: 1000 }
const bonus: Grant = { sequence: 2, kind: 'signup_bonus', left: 50, expires_at: 1000 }
const later: Grant = { sequence: 3, kind: 'subscription', left: 500, expires_at: 2000 }
const pack: Grant = { sequence: 4, kind: 'purchase', left: 100, expires_at: null }

test.each([
  ['no grants', [], { balance: 0, expiring: 0, expires_at: null }],
  ['a pack alone never expires', [pack], { balance: 100, expiring: 0, expires_at: null }],
  ['the soonest expiry', [pack, later, daily], { balance: 620, expiring: 20, expires_at: 1000 }],
  ['two grants with the same expiry', [daily, pack, bonus], { balance: 170, expiring: 70, expires_at: 1000 }],
  [
    'an empty grant is ignored',
    [{ ...daily, left: 0 }, later],
    { balance: 500, expiring: 500, expires_at: 2000 },
  ],
])('the next expiry: %s', (_name, grants, parts) => {
  const balance = grants.reduce((sum, { left }) => sum + left, 0)
  expect(balanceParts({ sequence: 4, balance, grants })).toEqual(parts)
})

describe('the sources of the balance', () => {
  test('keep the spending order, and add up grants of one kind with the same expiry', () => {
    const grants = [daily, bonus, pack, { ...pack, sequence: 5, left: 30 }]
    expect(balanceSources({ grants })).toEqual([
      { entry_type: 'daily_free', credits: 20, expires_at: 1000 },
      { entry_type: 'signup_bonus', credits: 50, expires_at: 1000 },
      { entry_type: 'purchase', credits: 130, expires_at: null },
    ])
  })

  test('leave out empty grants, and are limited', () => {
    expect(balanceSources({ grants: [{ ...daily, left: 0 }] })).toEqual([])
    const grants = Array.from({ length: SOURCES_MAX + 1 }, (_, index) => ({ ...daily, expires_at: index }))
    expect(balanceSources({ grants })).toHaveLength(SOURCES_MAX)
  })
})
