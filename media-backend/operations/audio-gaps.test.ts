/** @module-tag extended */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { clickTimes } from '../testing/clicks.ts'
import { makeClip } from '../testing/clips.ts'
import { carryOut, type JobSpec } from '../testing/operate.ts'

const CLICKS = "aevalsrc='sin(2000*PI*t)*lt(mod(t,1),0.05)':duration=6:sample_rate=48000"
/** Makes a clip with clicks one second apart. Four AAC frames (85 ms) are missing after the first click. */
const gapped = () =>
  makeClip('audio-gap.mkv', [
    ...['-f', 'lavfi', '-i', 'testsrc2=duration=6:size=320x180:rate=25', '-f', 'lavfi', '-i', CLICKS],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ...['-bsf:a', "noise=drop='between(n,25,28)'"],
  ])

test.each<JobSpec>([['compress'], ['convert', { format: 'webm' }], ['speed', { factor: 0.5 }]])(
  '%s keeps audio in sync after a gap of less than 0.1 s',
  async (...spec) => {
    const { path } = await carryOut(await gapped(), spec as JobSpec)
    const [, second = 0, , fourth = 0] = await clickTimes(path)
    const pace = spec[0] === 'speed' ? 2 : 1
    expect(Math.abs(second - 1 * pace)).toBeLessThan(0.04 * pace)
    expect(fourth - second).toBeCloseTo(2 * pace, 1)
  },
)

/**
 * Makes a clip with a continuous tone in 60 ms packets. Their timestamps are up to 50 ms late, as written by
 * recorders that use the wall clock.
 */
const jittered = () =>
  makeClip('audio-jitter.mkv', [
    ...['-f', 'lavfi', '-i', 'testsrc2=duration=6:size=320x180:rate=25'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:duration=6:sample_rate=48000'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'libopus', '-frame_duration', '60', '-bsf:a', 'setts=ts=PTS+mod(N*37\\,50)'],
  ])

test('compress adds no silence to continuous audio with jittering timestamps', async () => {
  const { path } = await carryOut(await jittered(), ['compress', { crf: 28 }])
  const detect = [
    '-hide_banner',
    '-i',
    path,
    '-af',
    'silencedetect=noise=-40dB:duration=0.01',
    '-f',
    'null',
    '-',
  ]
  const { stderr } = await promisify(execFile)('ffmpeg', detect)
  expect(stderr).not.toMatch(/silence_start: [1-4]/)
})
