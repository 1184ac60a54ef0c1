import { expect, test } from 'vitest'
import { sampleProbe } from '../planning/sample-facts.ts'
import { repeatsFrames } from './repeats-frames.ts'

/** Two minutes of video with these sizes, and one track of audio. */
const repeats = (size_bytes: number | undefined, video = {}) =>
  repeatsFrames(sampleProbe({ duration_seconds: 120, ...(size_bytes && { size_bytes }) }, video))

test.each<[string, boolean, boolean]>([
  ['a recording of a screen', repeats(8_000_000), true],
  ['a recording of a camera', repeats(60_000_000), false],
  ['a small recording of a camera', repeats(8_000_000, { width: 640, height: 360 }), false],
  ['a file of unknown size', repeats(undefined), false],
])('%s repeats its frames: %j', (_, actual, expected) => expect(actual).toBe(expected))
