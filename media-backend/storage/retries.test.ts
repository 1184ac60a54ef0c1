import { expect, test } from 'vitest'
import { failWith } from '../runtime/failure.ts'
import { startWaits } from '../runtime/waits.ts'
import { LONE_ENVIRONMENT } from '../testing/environment.ts'
import { isOutage, pauseAfter, UnexpectedStatus, withRetries } from './retries.ts'

const networkError = (code: string) => Object.assign(new Error('the request failed'), { code })

test.each([
  ...[408, 429, 500, 502, 503, 504, 522].map((status) => new UnexpectedStatus(status, '')),
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'].map(networkError),
])('waits after %s', (error) => {
  expect(isOutage(error)).toBe(true)
})

test.each([
  ...[301, 400, 403, 409, 412].map((status) => new UnexpectedStatus(status, '')),
  ...[networkError('ENOSPC'), new Error('a defect'), failWith('input_gone')],
])('does not wait after %s', (error) => {
  expect(isOutage(error)).toBe(false)
})

test('pauses double up to a limit, and half of each is random', () => {
  expect([1, 2, 3, 6, 9].map((failures) => pauseAfter(failures, 1))).toEqual([200, 400, 800, 6400, 10_000])
  expect(pauseAfter(3, 0)).toBe(400)
  expect(pauseAfter(1000, 1)).toBe(10_000)
})

test('gives up after the outage that it may wait for, which is no work', async () => {
  const waits = startWaits()
  let tries = 0
  const request = () => {
    tries += 1
    return Promise.reject(networkError('ECONNREFUSED'))
  }
  const begun_ms = performance.now()
  await expect(withRetries({ waits }, 900, request)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  const seconds = (performance.now() - begun_ms) / 1000
  expect(tries).toBeGreaterThan(3)
  expect(seconds).toBeGreaterThan(0.9)
  expect(waits.outageSeconds()).toBeGreaterThan(0.9 * seconds)
})

test('the attempts of a job together outlast an outage of more than ten minutes', () => {
  const { STORAGE_OUTAGE_SECONDS_MAX, ATTEMPTS_MAX } = LONE_ENVIRONMENT
  expect(STORAGE_OUTAGE_SECONDS_MAX * ATTEMPTS_MAX).toBeGreaterThan(600)
})
