import { describe, expect, test } from 'vitest'
import { MediaError } from './error.ts'
import { type Attempt, backoff, pause, pauseBeforeRetry } from './retry.ts'

const LIMITS = { maxRetries: 2, maxWaitMs: 60_000 }

function pauseAfter(attempt: Partial<Attempt>, random = 1): number | null {
  const error = new MediaError('', { code: 'network_error' })
  return pauseBeforeRetry({ error, number: 1, waited_ms: 0, is_repeatable: true, ...attempt }, LIMITS, random)
}

const response = (status: number, code = 'any', retryAfter?: number) =>
  new MediaError('', { status, code, ...(retryAfter !== undefined && { retryAfter }) })

describe('a failed attempt', () => {
  test('is followed by ever longer pauses, up to 10 seconds, spread at random', () => {
    expect([1, 2, 3, 9].map(backoff)).toEqual([500, 1000, 2000, 10_000])
    expect([pauseAfter({}, 0), pauseAfter({}, 0.5), pauseAfter({ number: 2 }, 1)]).toEqual([0, 250, 1000])
  })

  test('is the last one after the allowed retries', () => {
    expect(pauseAfter({ number: 2 })).not.toBeNull()
    expect(pauseAfter({ number: 3 })).toBeNull()
  })

  test.each([
    [response(500), true],
    [response(502), true],
    [response(503), true],
    [response(0, 'timeout'), true],
    [response(400), false],
    [response(401), false],
    [response(402), false],
    [response(404), false],
    [response(409), false],
    [response(501), false],
    [response(0, 'invalid_response'), false],
  ])('%o is repeated: %s', (error, isRepeated) => {
    expect(pauseAfter({ error }) !== null).toBe(isRepeated)
  })

  test.each([response(500), response(503, 'overloaded', 1), response(0, 'network_error')])(
    'of a request that may have been carried out is not repeated: %o',
    (error) => {
      expect(pauseAfter({ error, is_repeatable: false })).toBeNull()
    },
  )

  test.each([
    response(429, 'rate_limited', 10),
    response(503, 'maintenance', 10),
    response(409, 'idempotency_request_running', 10),
  ])('that is to be repeated later was not carried out: %o', (error) => {
    const wait = pauseAfter({ error, is_repeatable: false, number: 9 }, 0)
    expect(wait).toBe(10_000)
  })

  test('never waits longer than allowed in total', () => {
    const error = response(429, 'rate_limited', 50)
    expect(pauseAfter({ error, waited_ms: 10_000 })).not.toBeNull()
    expect(pauseAfter({ error, waited_ms: 10_001 })).toBeNull()
    expect(pauseAfter({ error: response(429, 'rate_limited', 7200) })).toBeNull()
  })

  test('waits at least as long as Retry-After says', () => {
    expect(pauseAfter({ error: response(503, 'overloaded', 3) }, 0)).toBe(3000)
  })
})

test('an abort ends a pause with its reason', async () => {
  const abort = new AbortController()
  const paused = pause(60_000, abort.signal)
  abort.abort(new Error('enough'))
  await expect(paused).rejects.toThrow('enough')
  await expect(pause(1, abort.signal)).rejects.toThrow('enough')
})
