import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startWaits } from '../runtime/waits.ts'
import { watchSilence } from './silence.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('counts only silences of more than a second as outages', () => {
  const waits = startWaits()
  const noteArrival = watchSilence(waits)
  for (const silent_ms of [900, 0, 1000, 60_000, 10]) {
    vi.advanceTimersByTime(silent_ms)
    noteArrival()
  }
  expect(waits.outageSeconds()).toBeCloseTo(60)
  expect(waits.seconds()).toBeCloseTo(60)
})

test('accepts work whose waits nobody counts', () => {
  const noteArrival = watchSilence(undefined)
  vi.advanceTimersByTime(5000)
  expect(noteArrival).not.toThrow()
})
