import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startWaits } from './waits.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('counts time once in which several waits overlap', () => {
  const waits = startWaits()
  vi.advanceTimersByTime(100_000)
  waits.add(10)
  waits.addOutage(4)
  vi.advanceTimersByTime(5000)
  waits.addOutage(20)
  vi.advanceTimersByTime(10_000)
  waits.add(3)
  expect(waits.seconds()).toBeCloseTo(23)
  expect(waits.outageSeconds()).toBeCloseTo(20)
})

test('is 0 for an attempt that waited for nothing', () => {
  expect([startWaits().seconds(), startWaits().outageSeconds()]).toEqual([0, 0])
})
