import { expect, test } from 'vitest'
import { makeClip, once } from '../testing/clips.ts'
import { carryOut, type JobSpec } from '../testing/operate.ts'
import { readTones } from '../testing/tones.ts'

const HERTZ = 1000

const mono = once(() =>
  makeClip('mono.mkv', [
    ...['-f', 'lavfi', '-i', 'testsrc2=duration=3:size=64x64:rate=10'],
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
