import { expect, test } from 'vitest'
import { clipParams, frameAt, middleOf, moveEnd, moveFirst, timeOf } from './frames.ts'
import { rateOf } from './measure-frame-rate.ts'

test.each([23.976, 24, 25, 29.97, 30, 50, 59.94, 60, 120])('finds every frame again at %d fps', (rate) => {
  for (let frame = 0; frame < 20_000; frame += 7) {
    expect(frameAt(timeOf(frame, rate), rate)).toBe(frame)
    expect(frameAt(middleOf(frame, rate), rate)).toBe(frame)
  }
})

const limits = { total: 100, shortest: 1, longest: 50 }

test('keeps clips within the video and the allowed lengths', () => {
  expect(moveFirst({ first: 10, end: 20 }, 30, limits)).toEqual({ first: 19, end: 20 })
  expect(moveFirst({ first: 50, end: 80 }, 0, limits)).toEqual({ first: 30, end: 80 })
  expect(moveEnd({ first: 10, end: 20 }, 5, limits)).toEqual({ first: 10, end: 11 })
  expect(moveEnd({ first: 10, end: 20 }, 90, limits)).toEqual({ first: 10, end: 60 })
  expect(moveEnd({ first: 80, end: 90 }, 120, limits)).toEqual({ first: 80, end: 100 })
})

test('a clip up to the end has no duration, unless the operation needs one', () => {
  expect(clipParams({ first: 0, end: 100 }, 25, 100, false)).toEqual({ start: null, duration: null })
  expect(clipParams({ first: 10, end: 100 }, 30, 100, false)).toEqual({ start: 0.333, duration: null })
  expect(clipParams({ first: 10, end: 25 }, 30, 100, true)).toEqual({ start: 0.333, duration: 0.5 })
})

test.each([
  [[0, 0.04, 0.08, 0.12], 25],
  [[0.5, 0.533367, 0.600101, 0.633467], 29.97],
  [[0.5, 0.533333, 0.6, 0.633333], 30],
  [[0, 0.083333, 0.166667], 12],
])('frames at %j come at %d fps', (times, rate) => {
  expect(rateOf(times)).toBeCloseTo(rate, 3)
})

test('too few frames have no rate', () => {
  expect(rateOf([0.5])).toBe(null)
})
