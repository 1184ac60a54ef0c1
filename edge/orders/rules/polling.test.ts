import { describe, expect, test } from 'vitest'
import { judgePoll, judgeSilence, pollPauseMs } from './polling.ts'
import type { OrderState } from './states.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

test('the intervals grow from a minute to six hours', () => {
  const minutes = [0, 1, 2, 5, 8, 9, 50].map((polls) => pollPauseMs(polls) / MINUTE_MS)
  expect(minutes).toEqual([1, 2, 4, 32, 256, 360, 360])
})

test('an order is polled fewer than 50 times in its seven days', () => {
  let [time, polls] = [0, 0]
  while (time < 7 * DAY_MS) time += pollPauseMs(polls++)
  expect(polls).toBeLessThan(50)
})

describe('an order due for polling', () => {
  const order = (status: OrderState, reference: string | null) => ({
    status,
    provider_reference: reference,
    created_at: 0,
  })
  test.each<[OrderState, string | null, number, string]>([
    ['waiting', 'ref', MINUTE_MS, 'ask'],
    ['partially_paid', 'ref', DAY_MS, 'ask'],
    ['expired', 'ref', DAY_MS, 'ask'],
    // The checkout was never opened, so nobody can pay the order.
    ['waiting', null, MINUTE_MS, 'wait'],
    ['waiting', null, 10 * MINUTE_MS, 'expire'],
    ['failed', null, 10 * MINUTE_MS, 'stop'],
  ])('%s, with the provider reference %s, after %i ms: %s', (status, reference, now, verdict) => {
    expect(judgePoll(order(status, reference), now)).toBe(verdict)
  })

  test.each<[OrderState, boolean, number, string]>([
    ['waiting', false, 6 * DAY_MS, 'wait'],
    ['waiting', false, 7 * DAY_MS, 'expire'],
    ['confirming', true, 7 * DAY_MS, 'expire'],
    ['partially_paid', false, 6 * DAY_MS, 'wait'],
    ['partially_paid', false, 7 * DAY_MS, 'stop'],
    ['expired', false, DAY_MS, 'stop'],
    ['expired', true, DAY_MS, 'wait'],
    ['failed', true, 8 * DAY_MS, 'stop'],
    ['paid', false, DAY_MS, 'stop'],
    ['paid', true, DAY_MS, 'stop'],
  ])('%s, with money on its way %s, after %i ms: %s', (status, isComing, now, verdict) => {
    expect(judgeSilence(order(status, 'ref'), isComing, now)).toBe(verdict)
  })
})
