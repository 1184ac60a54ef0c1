/** @module-tag extended */

import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { type JobSpec, operate } from '../testing/operate.ts'

const VIDEO = ['-f', 'lavfi', '-i', 'testsrc2=duration=4:size=128x96:rate=25']
const TONE = ['-f', 'lavfi', '-i', 'sine=duration=1']
const ENCODERS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p']

/** The clip is four seconds long, but its audio ends after one second. */
const short = () => makeClip('short-audio.mp4', [...VIDEO, ...TONE, ...ENCODERS, '-c:a', 'aac'])
/** The same clip with an audio codec that MP4 does not support. */
const flash = () => makeClip('short-audio.flv', [...VIDEO, ...TONE, ...ENCODERS, '-c:a', 'adpcm_swf'])
/** The header declares an audio track, but the track has no packets. */
const empty = () =>
  makeClip('empty-audio.mp4', [
    ...[...VIDEO, ...TONE, ...ENCODERS, '-c:a', 'aac', '-bsf:a', 'noise=drop=1'],
    ...['-movflags', 'frag_keyframe+empty_moov'],
  ])

test.each<[string, () => Promise<Buffer>, JobSpec, number]>([
  ['trims a part after the end of the audio', short, ['trim', { start: 2, duration: 1 }], 1],
  ['cuts a circle after the end of the audio', short, ['circle', { start: 2, duration: 1 }], 1],
  // The part starts at a keyframe before the requested start.
  ['copies a part after the end of the audio', flash, ['trim', { start: 2, duration: 1, precise: false }], 2],
  ['compresses a video with an empty audio track', empty, ['compress', { crf: 30 }], 4],
  ['converts a video with an empty audio track', empty, ['convert', { format: 'webm' }], 4],
])('%s', async (_, clip, spec, seconds) => {
  const { output } = await operate(await clip(), spec)
  expect(output.duration_seconds).toBeCloseTo(seconds, 1)
  expect(output.audio).toHaveLength(1)
})
