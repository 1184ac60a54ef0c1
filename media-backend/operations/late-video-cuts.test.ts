/** @module-tag extended */

import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { type JobSpec, operate } from '../testing/operate.ts'

/** Makes a clip whose first frame is displayed one second after the audio starts. */
const late = () =>
  makeClip('late-video.mkv', [
    ...['-f', 'lavfi', '-i', 'sine=duration=4'],
    ...['-itsoffset', '1', '-f', 'lavfi', '-i', 'testsrc2=duration=3:size=128x96:rate=25'],
    ...['-map', '1', '-map', '0', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac'],
  ])

test.each<JobSpec>([
  ['trim', { start: 0, duration: 0.5 }],
  ['trim', { start: 0.2, duration: 0.5, precise: false }],
])('%s %j shows the first frame in a part that ends before that frame', async (...spec) => {
  const { plan, output } = await operate(await late(), spec as JobSpec)
  expect(plan.encode_mode).toBe('encode')
  expect(output.duration_seconds).toBeCloseTo(0.5, 1)
})
