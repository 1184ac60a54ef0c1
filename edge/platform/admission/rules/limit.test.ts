import { describe, expect, test } from 'vitest'
import {
  hasRoom,
  initialState,
  LIMIT_MAX,
  limitAfterRequest,
  limitAfterTrip,
  SLOW_MS,
  SLOW_REQUEST_MS,
  takesPlace,
} from './limit.ts'

const NOW = 1_000_000
const INITIAL = initialState(32)

test('accepts requests up to the limit', () => {
  expect(hasRoom({ ...INITIAL, limit: 8.9, in_flight: 7 })).toBe(true)
  expect(hasRoom({ ...INITIAL, limit: 8.9, in_flight: 8 })).toBe(false)
})

test('slow answers lower the limit once per pause, down to the minimum', () => {
  let state = { ...INITIAL, in_flight: 64 }
  state = limitAfterTrip(state, SLOW_MS + 1, NOW)
  expect(state.limit).toBe(48)
  expect(limitAfterTrip(state, SLOW_MS + 1, NOW + 100).limit).toBe(48)
  for (let count = 1; count < 50; count++) state = limitAfterTrip(state, SLOW_MS + 1, NOW + count * 300)
  expect(state.limit).toBe(32)
})

test('quick answers raise the limit only while it is used, up to the maximum', () => {
  expect(limitAfterTrip({ ...INITIAL, in_flight: 57 }, 5, NOW).limit).toBe(INITIAL.limit)
  expect(limitAfterTrip({ ...INITIAL, in_flight: 58 }, 5, NOW).limit).toBeGreaterThan(INITIAL.limit)
  let state = { ...INITIAL, in_flight: LIMIT_MAX }
  for (let count = 0; count < 8; count++) state = limitAfterTrip(state, 5, NOW)
  expect(state.limit).toBe(INITIAL.limit + 1)
  for (let count = 0; count < 10_000; count++) state = limitAfterTrip(state, 5, NOW)
  expect(state.limit).toBe(LIMIT_MAX)
})

test('slow requests lower the limit while at least half of it is used', () => {
  const slow_ms = SLOW_REQUEST_MS + 1
  const busy = { ...INITIAL, in_flight: 32 }
  expect(limitAfterRequest(busy, slow_ms, NOW).limit).toBe(48)
  expect(limitAfterRequest(busy, SLOW_REQUEST_MS, NOW)).toBe(busy)
  const quiet = { ...INITIAL, in_flight: 31 }
  expect(limitAfterRequest(quiet, slow_ms, NOW)).toBe(quiet)
})

describe('takesPlace', () => {
  test.each([
    ['/api/health', false],
    ['/api/ready', false],
    ['/api/v1/billing/callbacks/paddle', false],
    ['/api/v1/tg/webhook/1', false],
    ['/api/v1/jobs', true],
    ['/api/v1/jobs/1', true],
    ['/api/v1/jobs/1?wait=30', false],
    ['/api/v1/jobs/1/events', false],
    ['/api/v1/jobs/upload', false],
    ['/api/v1/uploads', false],
    ['/api/v1/upload-links/abc/file', false],
  ])('of %s is %s', (address, expected) => {
    const { pathname, searchParams } = new URL(address, 'https://media.example.com')
    expect(takesPlace(pathname, searchParams.has('wait'))).toBe(expected)
  })
})
