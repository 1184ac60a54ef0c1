/** @module-tag extended */

import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { carryOut, frameLevels, type JobSpec } from '../testing/operate.ts'
import { readTones } from '../testing/tones.ts'

/** Quiet tones use so few of the 256 levels of 8-bit audio that rounding would be audible. */
const quiet = (codec: 'pcm_u8' | 'pcm_s16le') =>
  makeClip(`quiet-${codec}.mov`, [
    ...['-f', 'lavfi', '-i', 'testsrc2=duration=6:size=128x96:rate=25'],
    ...['-f', 'lavfi', '-i', "aevalsrc='0.05*sin(880*PI*t)+0.03*sin(2760*PI*t)':d=6:s=44100"],
    ...['-c:v', 'mjpeg', '-c:a', codec],
  ])

test.each(['pcm_u8', 'pcm_s16le'] as const)('speed keeps the level of quiet audio in %s', async (codec) => {
  const clip = await quiet(codec)
  const { path } = await carryOut(clip, ['speed', { factor: 2 }])
  const [before, after] = [await withFile(clip, readTones), await readTones(path)]
  for (const hertz of [440, 1380])
    expect(Math.abs(after(hertz, 0.5, 2.5) - before(hertz, 0.5, 5.5))).toBeLessThan(0.3)
})

/** Frame N has brightness 16 + 6N. Each tick of the time base is one frame. */
const coarse = () =>
  makeClip('coarse.mp4', [
    ...['-f', 'lavfi', '-i', "color=black:s=64x64:r=8:d=4,geq=lum='16+6*N':cb=128:cr=128"],
    ...['-c:v', 'libx264', '-qp', '0', '-video_track_timescale', '8'],
  ])

test.each<[specs: [JobSpec, ...JobSpec[]], factor: number]>([
  [[['speed', { factor: 2 }]], 2],
  [[['speed', { factor: 0.5 }]], 0.5],
  [
    [
      ['fps', { fps: 8 }],
      ['speed', { factor: 2 }],
    ],
    2,
  ],
])('%j displays each frame of a coarse time base at its time', async (specs, factor) => {
  const { path } = await carryOut(await coarse(), ...specs)
  const frames = await frameLevels(path)
  expect(frames.length).toBeGreaterThan(30)
  for (const { seconds, level } of frames)
    expect(Math.round((level - 16) / 6)).toBe(Math.floor(seconds * factor * 8 + 0.01))
})
