import { expect, test } from 'vitest'
import { canTransitionRenewal, RENEWAL_STATES } from './states.ts'

/** Contract: Subscriptions, Renewal states. */
const ALLOWED = [
  'off > ended',
  ...['active > past_due', 'active > paused', 'active > cancelling', 'active > ended'],
  ...['past_due > active', 'past_due > paused', 'past_due > cancelling', 'past_due > ended'],
  ...['paused > active', 'paused > past_due', 'paused > cancelling', 'paused > ended'],
  'cancelling > ended',
]

test('only these transitions are allowed', () => {
  const found = RENEWAL_STATES.flatMap((from) =>
    RENEWAL_STATES.filter((to) => canTransitionRenewal(from, to)).map((to) => `${from} > ${to}`),
  )
  expect(found.sort()).toEqual(ALLOWED.sort())
})
