import { expect, test } from 'vitest'
import { gifDelays } from './gif-delays.ts'

const total = (delays: readonly number[]) => delays.reduce((sum, delay) => sum + delay, 0)

test.each([[Array<number>(20).fill(75)], [[33, 34, 33, 33, 34]], [[40, 80, 120, 500]], [[15, 15, 100, 25]]])(
  'the GIF delays of %j have the same total within 10 ms',
  (delays) => {
    const rounded = gifDelays(delays)
    expect(rounded.every((delay) => delay % 10 === 0 && delay >= 20)).toBe(true)
    expect(Math.abs(total(rounded) - total(delays))).toBeLessThanOrEqual(10)
  },
)
