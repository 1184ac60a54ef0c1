/** @module-tag extended */

import { expect, test } from 'vitest'
import { makeClip, once } from '../testing/clips.ts'
import { carryOut, type JobSpec } from '../testing/operate.ts'
import { readTones } from '../testing/tones.ts'

const HERTZ = 1000
const VIDEO = ['-f', 'lavfi', '-i', 'testsrc2=duration=3:size=64x64:rate=10']

const mono = once(() =>
  makeClip('mono.mkv', [
    ...VIDEO,
    ...['-f', 'lavfi', '-i', `sine=frequency=${HERTZ}:duration=3`],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'pcm_s16le', '-ac', '1'],
  ]),
)

test.each<JobSpec>([
  ['compress', { crf: 28 }],
  ['convert', { format: 'mp4', acodec: 'libmp3lame' }],
  ['convert', { format: 'webm' }],
  ['trim', { start: 0.5 }],
  ['flip', { axis: 'h' }],
  ['circle', { diameter: 64 }],
  ['extract_audio', { format: 'mp3' }],
])('%s %j keeps the level of a mono track', async (...spec) => {
  const { source, path } = await carryOut(await mono(), spec)
  const [before, after] = await Promise.all([readTones(source), readTones(path)])
  expect(Math.abs(after(HERTZ, 0.5, 2) - before(HERTZ, 0.5, 2))).toBeLessThan(0.3)
})

/** Makes a 5.1 clip whose front left, front right and center channels play the same tone at the given amplitude. */
const surround = (amplitude: number) =>
  makeClip(`surround-${amplitude}.mkv`, [
    ...VIDEO,
    ...['-f', 'lavfi', '-i', `aevalsrc='${amplitude}*sin(${2 * HERTZ}*PI*t)':s=48000:d=3`],
    ...['-af', 'pan=5.1|FL=c0|FR=c0|FC=c0', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'pcm_s16le'],
  ])

const ENCODED: JobSpec[] = [
  ['convert', { format: 'mp4' }],
  ['convert', { format: 'webm' }],
  ['flip', { axis: 'h' }],
  ['extract_audio', { format: 'mp3' }],
]

test.each(ENCODED)('%s %j downmixes surround at the level of its front speakers', async (...spec) => {
  const { path } = await carryOut(await surround(0.1), spec)
  // Each side gets its front channel, plus the center channel at -3 dB.
  const expected_db = 20 * Math.log10((0.1 * (1 + Math.SQRT1_2)) / Math.SQRT2)
  expect(Math.abs((await readTones(path))(HERTZ, 0.5, 2) - expected_db)).toBeLessThan(0.3)
})

test.each(ENCODED)('%s %j limits loud surround instead of clipping it', async (...spec) => {
  const { path } = await carryOut(await surround(0.9), spec)
  const level = await readTones(path)
  const [tone, harmonic] = [level(HERTZ, 0.5, 2), level(3 * HERTZ, 0.5, 2)]
  expect(tone).toBeGreaterThan(-4)
  expect(harmonic).toBeLessThan(tone - 40)
})
