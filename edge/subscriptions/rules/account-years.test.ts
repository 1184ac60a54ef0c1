import { expect, test } from 'vitest'
import { simulateAccounts } from './testing/account-years.ts'

/** `npm run simulate` lives a thousand; a seed that fails there is tried here by its number. */
test.each([1, 2, 3])('ten account-years of seed %i: every grant, lapse and renewal once', (seed) => {
  const told = simulateAccounts({ seed, accounts: 10 })
  expect(told.months).toBeGreaterThan(10)
  expect(told.charges).toBeGreaterThan(0)
})

test('the same seed lives the same years', () => {
  expect(simulateAccounts({ seed: 9, accounts: 3 })).toEqual(simulateAccounts({ seed: 9, accounts: 3 }))
})
