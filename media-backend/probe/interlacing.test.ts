/** @module-tag extended */

import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { frameLevels, operate } from '../testing/operate.ts'

/** Fields of 1/50 s, interlaced into 25 frames per second. Each field is slightly brighter than the previous one. */
const FIELDS = [
  ...['-f', 'lavfi', '-i', "color=black:duration=2:size=720x576:rate=50,geq=lum='16+2*N':cb=128:cr=128"],
  ...['-vf', 'interlace=lowpass=off,format=yuv420p'],
]
const FRAMES = ['-f', 'lavfi', '-i', 'testsrc2=duration=1:size=720x576:rate=25', '-pix_fmt', 'yuv420p']
const MPEG4 = ['-c:v', 'mpeg4', '-q:v', '2']

test.each([
  ['MPEG-4 in an AVI', 'fields.avi', [...FIELDS, ...MPEG4, '-flags', '+ilme+ildct'], true],
  ['DV in an AVI', 'tape.avi', [...FIELDS, '-c:v', 'dvvideo'], true],
  ['MPEG-4 in an MP4', 'fields.mp4', [...FIELDS, ...MPEG4, '-flags', '+ilme+ildct'], true],
  ['progressive frames in an AVI', 'frames.avi', [...FRAMES, ...MPEG4], false],
] as const)('deinterlaces %s only if its frames are interlaced', async (_, name, args, interlaced) => {
  const { input, output } = await operate(await makeClip(name, args), ['compress'])
  expect(input.video.interlaced).toBe(interlaced)
  expect(output.video.interlaced).toBe(false)
})

test('outputs every field as a frame at one frame per field', async () => {
  const clip = await makeClip('fields.avi', [...FIELDS, ...MPEG4, '-flags', '+ilme+ildct'])
  const { path } = await operate(clip, ['fps', { fps: 50 }])
  const levels = (await frameLevels(path)).slice(10, 60).map(({ level }) => level)
  const steps = levels.slice(1).map((level, number) => level - (levels[number] ?? 0))
  // If frames were repeated, pairs of consecutive frames would have equal levels.
  expect(steps.filter((step) => Math.abs(step) < 0.3).length).toBeLessThan(5)
})
