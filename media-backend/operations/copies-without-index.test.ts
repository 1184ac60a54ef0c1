/** @module-tag extended */

import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { carryOut, packetHashes } from '../testing/operate.ts'
import { videoUnits } from '../testing/units.ts'

test.each([
  ['keyframes every second', 25, 1.5],
  ['keyframes every ten seconds', 250, 10.5],
  ['a single keyframe', 1000, 20.5],
])('a late part of a stream without an index starts at a keyframe: %s', async (_, group, seconds) => {
  const videoInput = ['-f', 'lavfi', '-i', 'testsrc2=duration=24:size=160x90:rate=25']
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-sc_threshold', '0']
  const clip = await makeClip('groups.ts', [...videoInput, ...x264, '-g', String(group)])
  const { path, source } = await carryOut(clip, ['trim', { start: 19.5, duration: 1, precise: false }])
  const [part, whole] = [await videoUnits(path, 'lengths'), await videoUnits(source, 'start codes')]
  expect(whole.join(' ')).toContain(part.join(' '))
  const frames = await packetHashes(path, 'v')
  expect(Math.abs(frames.length - seconds * 25)).toBeLessThan(2)
})
