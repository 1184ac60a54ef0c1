/** @module-tag extended */

import { describe, expect, test } from 'vitest'
import { makeClip, once } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { type JobSpec, operate, packetHashes } from '../testing/operate.ts'
import { readTones } from '../testing/tones.ts'

const HERTZ = 1000
const SOURCES = [
  ...['-f', 'lavfi', '-i', 'testsrc2=duration=3:size=160x90:rate=25'],
  ...['-f', 'lavfi', '-i', `sine=frequency=${HERTZ}:duration=3:sample_rate=48000`],
]
const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '25']

/** Files with audio codecs that no output container supports. */
const CLIPS = {
  'from a Blu-ray': once(() =>
    makeClip('bluray.m2ts', [
      ...[...SOURCES, ...H264, '-ac', '2', '-c:a', 'pcm_bluray'],
      ...['-f', 'mpegts', '-mpegts_m2ts_mode', '1'],
    ]),
  ),
  'from a DVD': once(() =>
    makeClip('dvd.vob', [...SOURCES, '-c:v', 'mpeg2video', '-ac', '2', '-c:a', 'pcm_dvd', '-f', 'vob']),
  ),
  'from a Flash video': once(() =>
    makeClip('speech.flv', [...SOURCES, ...H264, '-ar', '44100', '-ac', '1', '-c:a', 'nellymoser']),
  ),
}

const COPIES: JobSpec[] = [
  ['faststart'],
  ['strip_metadata'],
  ['device_meta', { preset: 'iphone_16_pro' }],
  ['convert', { format: 'mkv' }],
  ['trim', { duration: 2 }],
  ['trim', { start: 0.5, precise: false }],
  ['subtitles', { mode: 'embed', subtitles_text: '1\n00:00:00,000 --> 00:00:01,000\nHi\n' }],
]

/** Every copy runs on one clip. The others differ only in their audio, so one copy to each container is enough. */
const COPIES_OF_OTHERS = COPIES.filter(([key]) => key === 'faststart' || key === 'convert')

describe.each(Object.entries(CLIPS))('audio %s', (name, clip) => {
  const copies = name === 'from a Blu-ray' ? COPIES : COPIES_OF_OTHERS
  const readSource = once(async () => withFile(await clip(), readTones))
  test.each(copies)('%s %j copies the video and encodes the audio', async (...spec) => {
    const { plan, path, output } = await operate(await clip(), spec)
    expect(plan.encode_mode).toBe('video_copy')
    expect(output.audio).toMatchObject([{ codec: 'aac' }])
    const [before, after] = await Promise.all([readSource(), readTones(path)])
    expect(Math.abs(after(HERTZ, 0.5, 1.9) - before(HERTZ, 0.5, 1.9))).toBeLessThan(0.5)
    expect(await packetHashes(path, 'v')).not.toHaveLength(0)
  })
})

test.each([
  ['24 bits at 96 kHz', 's32', '96000'],
  ['16 bits at 48 kHz', 's16', '48000'],
])('copies FLAC with %s into an MP4', async (_, format, rate) => {
  const flac = ['-c:a', 'flac', '-sample_fmt', format, '-ar', rate]
  const clip = await makeClip(`flac-${rate}.mkv`, [...SOURCES, ...H264, ...flac])
  const { plan, path, source } = await operate(clip, ['convert', { format: 'mp4' }])
  expect(plan.encode_mode).toBe('remux')
  expect(await packetHashes(path, 'a')).toEqual(await packetHashes(source, 'a'))
})
