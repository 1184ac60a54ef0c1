import { expect, test } from 'vitest'
import { simulateAccounts } from './testing/account-years.ts'

/** `npm run simulate` runs a thousand seeds. If a seed fails there, add its number here to reproduce the failure. */
test.each([1, 2, 3])(
  'ten account-years of seed %i have every grant, expiry and renewal exactly once',
  (seed) => {
    const totals = simulateAccounts({ seed, accounts: 10 })
    expect(totals.months).toBeGreaterThan(10)
    expect(totals.charges).toBeGreaterThan(0)
  },
)

test('the same seed produces the same years', () => {
  expect(simulateAccounts({ seed: 9, accounts: 3 })).toEqual(simulateAccounts({ seed: 9, accounts: 3 }))
})
