import { describe, expect, test } from 'vitest'
import { emptySample, isLogged } from './request-log.ts'

const MINUTE_MS = 60_000

/**
 * Counts how many of the given number of requests are logged when they rotate through the given number of subjects.
 */
function countLogged(
  request: { account_id: number | null; status: number },
  { requests = 1000, subjects = 1, sample = emptySample(), at = 0 },
): number {
  const logged = Array.from({ length: requests }, (_, index) =>
    isLogged({ ...request, at }, `subject ${index % subjects}`, sample),
  )
  return logged.filter(Boolean).length
}

describe('of 1,000 requests in a minute', () => {
  test.each([
    ['200 of an account', { account_id: 1, status: 200 }, 1000],
    ['404 of an account', { account_id: 1, status: 404 }, 1000],
    ['200 of an anonymous caller', { account_id: null, status: 200 }, 1000],
    ['429 of an account', { account_id: 1, status: 429 }, 10],
    ['429 of an anonymous caller', { account_id: null, status: 429 }, 10],
    ['404 of an anonymous caller', { account_id: null, status: 404 }, 10],
    ['401 of an anonymous caller', { account_id: null, status: 401 }, 10],
  ])('from %s the bounded number is logged', (_which, request, logged) => {
    expect(countLogged(request, {})).toBe(logged)
  })

  test('many subjects with refused requests share a bound', () => {
    expect(countLogged({ account_id: null, status: 404 }, { subjects: 1000 })).toBe(300)
  })

  test('the next minute has a new sample', () => {
    const sample = emptySample()
    const refused = { account_id: null, status: 404 }
    expect(countLogged(refused, { sample })).toBe(10)
    expect(countLogged(refused, { sample, at: MINUTE_MS - 1 })).toBe(0)
    expect(countLogged(refused, { sample, at: MINUTE_MS })).toBe(10)
  })
})
