import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPending, makeCode, nextSendAt, secondsToSend } from './confirmation-codes.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

describe('sending codes', () => {
  test('never exceeds one per minute and five in any 24 hours', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 6 * 60 * MINUTE_MS }), { maxLength: 200 })
    fc.assert(
      fc.property(pauses, (waits) => {
        const sent: { sent_at: number }[] = []
        let now = 1_000_000
        for (const wait of waits) {
          now += wait
          if (nextSendAt(sent) <= now) sent.push({ sent_at: now })
        }
        const times = sent.map(({ sent_at }) => sent_at)
        times.forEach((time, index) => {
          const next = times[index + 1]
          const sixth = times[index + 5]
          if (next !== undefined) expect(next - time).toBeGreaterThanOrEqual(MINUTE_MS)
          if (sixth !== undefined) expect(sixth - time).toBeGreaterThanOrEqual(DAY_MS)
        })
      }),
      { seed: 4 },
    )
  })

  test('is allowed at exactly the announced second', () => {
    const sent = [{ sent_at: 1500 }]
    expect(secondsToSend(sent, 1500)).toBe(60)
    expect(secondsToSend(sent, 61_499)).toBe(1)
    expect(secondsToSend(sent, 61_500)).toBe(0)
    expect(secondsToSend([], 0)).toBe(0)
  })
})

test.each([
  ['fresh', {}, true],
  ['used', { used_at: 1 }, false],
  ['expired', { expires_at: 1000 }, false],
  ['guessed at five times', { guesses: 5 }, false],
  ['guessed at four times', { guesses: 4 }, true],
])('a code that is %s is judged as such', (_name, change, pending) => {
  const code = { expires_at: 1001, used_at: null, guesses: 0, ...change }
  expect(isPending(code, 1000)).toBe(pending)
})

describe('a generated code', () => {
  test('always has six digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_293_999_999 }), (word) => {
        expect(makeCode(() => word)).toMatch(/^\d{6}$/)
      }),
      { seed: 4 },
    )
  })

  test('is drawn again when the draw would bias it toward low values', () => {
    const draws = [4_294_967_295, 4_294_000_000, 4_293_999_999]
    expect(makeCode(() => draws.shift() ?? 0)).toBe('999999')
  })
})
