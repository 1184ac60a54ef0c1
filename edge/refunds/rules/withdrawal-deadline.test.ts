import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withdrawalDeadline } from './withdrawal-deadline.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

test.each([
  ['a Wednesday', '2026-11-04T00:00:00Z', '2026-11-19T00:00:00Z'],
  ['late on a Wednesday', '2026-11-04T23:59:59Z', '2026-11-19T23:45:00Z'],
  ['a Saturday: the last day moves to Monday', '2026-11-07T14:00:00Z', '2026-11-24T12:00:00Z'],
  ['a Sunday: the last day moves to Monday', '2026-11-08T09:00:00Z', '2026-11-24T12:00:00Z'],
  ['late on a Friday, when it is Saturday in the east', '2026-11-06T20:00:00Z', '2026-11-23T20:00:00Z'],
])('a right to withdraw from a payment on %s ends at the end of its last day', (_day, paid, end) => {
  expect(new Date(withdrawalDeadline(Date.parse(paid), 14))).toEqual(new Date(end))
})

test('it ends at the end of a working day at the earliest, in every time zone', () => {
  const zone = fc.integer({ min: -12 * 4, max: 14 * 4 }).map((quarters) => (quarters * HOUR_MS) / 4)
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 14, max: 365 }),
      zone,
      (paid, days, offset) => {
        const localEnd = (Math.floor((paid + offset) / DAY_MS) + days + 1) * DAY_MS - offset
        const end = withdrawalDeadline(paid, days)
        expect(end).toBeGreaterThanOrEqual(localEnd)
        expect(end - paid).toBeGreaterThanOrEqual(days * DAY_MS)
        expect(end - paid).toBeLessThanOrEqual((days + 4) * DAY_MS)
      },
    ),
    { seed: 20261128 },
  )
})
