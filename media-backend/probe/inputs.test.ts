/** @module-tag extended */

import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { carryOut, operate } from '../testing/operate.ts'

const VIDEO_INPUT = ['-f', 'lavfi', '-i', 'testsrc2=duration=2:size=720x576:rate=25,format=yuv420p']
/** A size that needs less time to encode, for codecs that allow it. */
const SMALL_INPUT = VIDEO_INPUT.map((option) => option.replace('720x576', '176x144'))
const TONE = ['-f', 'lavfi', '-i', 'sine=duration=2:sample_rate=48000', '-ac', '2']

test.each([
  ['an MXF file', 'clip.mxf', [...VIDEO_INPUT, ...TONE, '-c:v', 'mpeg2video', '-b:v', '4M']],
  ['an IVF file', 'clip.ivf', [...SMALL_INPUT, '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8']],
  ['an uncompressed video', 'clip.y4m', SMALL_INPUT],
  ['a DV file', 'clip.dv', [...VIDEO_INPUT, ...TONE, '-c:v', 'dvvideo', '-c:a', 'pcm_s16le']],
  ['an MPEG program stream', 'clip.mpg', [...SMALL_INPUT, ...TONE, '-c:v', 'mpeg2video', '-c:a', 'mp2']],
] as const)('%s is measured, copied, encoded and used for a thumbnail', async (_, name, args) => {
  const clip = await makeClip(name, args)
  const { input, output } = await operate(clip, ['faststart'])
  expect(Math.abs(input.duration_seconds - 2)).toBeLessThan(0.1)
  expect(input.video.frames_per_second).toBe(25)
  expect(input.video.variable_frame_rate).toBe(false)
  expect(Math.abs(output.duration_seconds - 2)).toBeLessThan(0.1)
  const part = await operate(clip, ['trim', { start: 0.5, duration: 1 }])
  expect(Math.abs(part.output.duration_seconds - 1)).toBeLessThan(0.1)
  await carryOut(clip, ['thumbnail', { at: 1.5 }])
})
