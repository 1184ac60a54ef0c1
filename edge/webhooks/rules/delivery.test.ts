import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeAttempt, retryUntil, signingSecrets } from './delivery.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const status = (response_status: number) => ({ response_status, error: null })
const SILENCE = { response_status: null, error: 'no response' }

describe('a delivery attempt', () => {
  test.each([200, 201, 202, 204, 299])('with the response %i is the last', (code) => {
    const verdict = judgeAttempt({ attempts: 1, retry_until: DAY_MS }, status(code), 0, 0.5)
    expect(verdict).toEqual({ status: 'delivered', next_attempt_at: null })
  })

  test('with the response 410 ends the delivery', () => {
    const verdict = judgeAttempt({ attempts: 1, retry_until: DAY_MS }, status(410), 0, 0.5)
    expect(verdict).toEqual({ status: 'failed', next_attempt_at: null })
  })

  test.each([100, 301, 302, 307, 400, 404, 429, 500, 503])('with the response %i is retried', (code) => {
    const verdict = judgeAttempt({ attempts: 1, retry_until: DAY_MS }, status(code), 0, 0.5)
    expect(verdict).toEqual({ status: 'pending', next_attempt_at: 30_000 })
  })

  test('is followed by a doubling delay with random jitter of up to half', () => {
    const pauses = [1, 2, 3, 4].map((attempts) =>
      [0, 1].map(
        (chance) => judgeAttempt({ attempts, retry_until: DAY_MS }, SILENCE, 0, chance).next_attempt_at,
      ),
    )
    expect(pauses).toEqual([
      [15_000, 45_000],
      [30_000, 90_000],
      [60_000, 180_000],
      [120_000, 360_000],
    ])
  })

  test('is made about ten times, the last one after a day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2e12 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
        (begun, dice) => {
          const retry_until = retryUntil(begun, 'job.done')
          let now = begun
          let attempts = 0
          for (;;) {
            attempts += 1
            const verdict = judgeAttempt({ attempts, retry_until }, SILENCE, now, dice[attempts] ?? 0.5)
            if (verdict.status !== 'pending') {
              expect([verdict.status, now]).toEqual(['failed', begun + DAY_MS])
              break
            }
            expect(verdict.next_attempt_at).toBeGreaterThan(now)
            now = verdict.next_attempt_at
          }
          expect(attempts).toBeGreaterThan(8)
          expect(attempts).toBeLessThan(20)
        },
      ),
    )
  })
})

describe('the signing secrets', () => {
  const stored = { secret: 'new', previous_secret: 'old', created_at: 1000 }

  test.each([
    ['at a rotation', 1000, ['new', 'old']],
    ['within a day of it', 1000 + DAY_MS - 1, ['new', 'old']],
    ['after a day', 1000 + DAY_MS, ['new']],
  ])('%s', (_when, now, secrets) => {
    expect(signingSecrets(stored, now)).toEqual(secrets)
  })

  test('are one without a rotation', () => {
    expect(signingSecrets({ ...stored, previous_secret: null }, 1000)).toEqual(['new'])
  })
})
