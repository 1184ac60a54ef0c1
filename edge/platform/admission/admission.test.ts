import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Admission, openAdmission } from './admission.ts'
import { SLOW_REQUEST_MS } from './rules/limit.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Fills all places and returns them. */
function fill(admission: Admission): symbol[] {
  const places: symbol[] = []
  for (let place = admission.enter(); place !== null; place = admission.enter()) places.push(place)
  return places
}

test('accepts fewer requests after a full isolate has answered slowly, although its database is quick', () => {
  const admission = openAdmission(4)
  const places = fill(admission)
  vi.advanceTimersByTime(SLOW_REQUEST_MS + 1)
  for (const place of places) admission.leave(place)
  expect(fill(admission).length).toBe(places.length * 0.75)
})

test('accepts as many requests after they have ended in time', () => {
  const admission = openAdmission(4)
  const places = fill(admission)
  vi.advanceTimersByTime(SLOW_REQUEST_MS)
  for (const place of places) admission.leave(place)
  expect(fill(admission)).toHaveLength(places.length)
})
