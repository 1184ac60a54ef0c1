import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { carryOut } from '../testing/operate.ts'
import { readTones } from '../testing/tones.ts'

/** Quiet tones: they use so few of the 256 levels of 8 bits that rounding is audible. */
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
