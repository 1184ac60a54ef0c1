/** @module-tag extended */

import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { carryOut, frameLevels, inspect, type JobSpec } from '../testing/operate.ts'

/** Each frame is brighter than the previous one, so a frozen end is detectable. */
const stream = (name: string) =>
  makeClip(name, [
    ...['-f', 'lavfi', '-i', "color=c=black:s=64x64:r=25:d=8,geq=lum='16+N':cb=128:cr=128"],
    ...['-f', 'lavfi', '-i', 'sine=duration=8', '-c:v', 'mpeg2video', '-q:v', '1', '-c:a', 'mp2'],
  ])

test.each([
  ['stream.mpg', 0, ['speed', { factor: 0.5 }], 4],
  ['stream.mpg', 2, ['speed', { factor: 0.5 }], 4],
  ['stream.mpg', 2, ['fps', { fps: 50 }], 2],
  ['stream.ts', 2, ['fps', { fps: 50 }], 2],
] satisfies [string, number, JobSpec, number][])(
  'two seconds of %s from %i s, followed by %j, end with their last frame',
  async (name, start, spec, seconds) => {
    const { path } = await carryOut(await stream(name), ['trim', { start, duration: 2 }], spec)
    const [video] = (await inspect(path)).streams
    // If the video starts between two frames of the cut, one more is displayed in it.
    expect(Math.abs(Number(video?.duration) - seconds)).toBeLessThan(0.1)
    const levels = (await frameLevels(path)).map(({ level }) => Math.round(level))
    // Half speed and double frame rate both show each frame twice.
    expect(levels.filter((level) => level === levels.at(-1)).length).toBeLessThanOrEqual(6)
  },
)
