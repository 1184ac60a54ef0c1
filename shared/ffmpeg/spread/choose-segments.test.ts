import { expect, test } from 'vitest'
import { chooseSegments } from './choose-segments.ts'

const RATE = { frames_per_second: 25, start_seconds: 0 }

const keyframes = (seconds: number, every: number) =>
  Array.from({ length: Math.ceil(seconds / every) }, (_, at) => at * every)

test('cuts a video of the minimum length into eight parts at keyframes', () => {
  const segments = chooseSegments(keyframes(60, 2), 60, RATE, 60)
  expect(segments).toEqual([
    ...[0, 200, 350, 550, 750, 950, 1100].map((first, at, all) => ({ first, end: all[at + 1] ?? 1300 })),
    { first: 1300, end: null },
  ])
})

test.each([
  ['is shorter than the minimum', keyframes(59, 2), 59, RATE, 60],
  ['may not be cut', keyframes(60, 2), 60, RATE, 0],
  ['has a single keyframe', [0], 60, RATE, 60],
  ['has no keyframe', [], 60, RATE, 60],
  ['has an irregular rate', [0, 10, 20.017, 30], 60, RATE, 60],
])('leaves a video whole that %s', (_why, starts, duration_seconds, rate, seconds_min) => {
  expect(chooseSegments(starts, duration_seconds, rate, seconds_min)).toBeNull()
})

test('counts the frames of a late video from its first one', () => {
  const late = { frames_per_second: 25, start_seconds: 0.02 }
  expect(chooseSegments([0.02, 5.02], 10, late, 10)).toEqual([
    { first: 0, end: 125 },
    { first: 125, end: null },
  ])
})

test('never makes more than 64 segments, and makes fewer of a video with few keyframes', () => {
  expect(chooseSegments(keyframes(7200, 2), 7200, RATE, 60)).toHaveLength(64)
  expect(chooseSegments(keyframes(60, 20), 60, RATE, 60)).toHaveLength(3)
})
