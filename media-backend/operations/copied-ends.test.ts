/** @module-tag extended */

import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { frameLevels, inspect, operate } from '../testing/operate.ts'

const FRAME_SECONDS = 0.04
/** Allows for muxer rounding and for the audio frames at both ends. */
const TOLERANCE_SECONDS = 0.05

/** Frame N has brightness 16 + N. Each 2.5 s period ends with a gap of 0.6 s; B-frames precede the gap. */
const gapped = (extension: string, options: readonly string[] = []) =>
  makeClip(`gapped${options.join('')}.${extension}`, [
    ...['-f', 'lavfi', '-i', "color=black:s=64x64:r=25:d=8,geq=lum='16+N':cb=128:cr=128"],
    ...['-f', 'lavfi', '-i', 'sine=duration=8', '-vf', "select='lt(mod(t,2.5),1.9)'"],
    ...['-fps_mode', 'passthrough', '-c:v', 'libx264', '-qp', '1', '-g', '25', '-sc_threshold', '0'],
    ...['-bf', '3', '-x264-params', 'b-adapt=0', '-pix_fmt', 'yuv420p', '-c:a', 'aac', ...options],
  ])

test.each([
  ['mp4', { duration: 4.5 }],
  ['mov', { duration: 2.2 }],
  ['mkv', { duration: 4.5 }],
  ['mp4', { start: 2.9, duration: 1.8, precise: false }],
  ['mkv', { start: 2.9, duration: 1.8, precise: false }],
  ['flv', { duration: 4.5 }],
  ['mp4', { duration: 4.5 }, ['-video_track_timescale', '600']],
  ['ts', { duration: 4.5 }],
  ['ts', { start: 2.9, duration: 1.8, precise: false }],
] as const)(
  'a stream-copied part of an .%s that ends in a gap has the requested duration: %j',
  async (extension, params, options: readonly string[] = []) => {
    const { path, plan, output } = await operate(await gapped(extension, options), ['trim', params])
    expect(plan.encode_mode).toBe('remux')
    const frames = (await frameLevels(path)).map(({ seconds, level }) => ({
      seconds,
      number: Math.round(level - 16),
    }))
    const first = frames[0] ?? { seconds: 0, number: 0 }
    const start = 'start' in params ? params.start : 0
    const end = start + params.duration - first.number * FRAME_SECONDS + first.seconds
    const shown = frames.filter(({ seconds }) => seconds < end - TOLERANCE_SECONDS)
    for (const { seconds, number } of shown)
      expect(seconds - first.seconds).toBeCloseTo((number - first.number) * FRAME_SECONDS, 2)
    // Number of the last frame before the gap.
    const last_number = Math.floor((start + params.duration) / 2.5) * 62.5 + 47
    expect(shown.at(-1)?.number).toBeGreaterThanOrEqual(Math.floor(last_number))
    expect(frames.at(-1)?.seconds).toBeLessThan(end + TOLERANCE_SECONDS)
    expect(Math.abs(Number((await inspect(path)).format.duration) - end)).toBeLessThan(0.1)
    expect(Math.abs(output.duration_seconds - end)).toBeLessThan(0.1)
  },
)
