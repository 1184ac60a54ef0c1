/** @module-tag extended */

import { expect, test } from 'vitest'
import { runFfprobe } from '../probe/ffprobe.ts'
import { makeClip } from '../testing/clips.ts'
import { type JobSpec, operate } from '../testing/operate.ts'

const STATISTICS = {
  'DURATION-eng': '00:00:04.000000000',
  'BPS-eng': '740450',
  'NUMBER_OF_FRAMES-eng': '100',
  '_STATISTICS_WRITING_APP-eng': 'mkvmerge v49.0.0',
  '_STATISTICS_TAGS-eng': 'BPS DURATION NUMBER_OF_FRAMES',
}

/** Makes a four-second clip like those from mkvmerge, with audio that starts slightly late. */
const clip = () =>
  makeClip('statistics.mkv', [
    ...['-f', 'lavfi', '-i', 'testsrc2=duration=4:size=64x64:rate=25'],
    ...['-itsoffset', '0.1', '-f', 'lavfi', '-i', 'sine=duration=3.9'],
    ...['-c:v', 'libx264', '-g', '25', '-bf', '0', '-c:a', 'aac'],
    ...Object.entries(STATISTICS).flatMap(([name, value]) => ['-metadata:s', `${name}=${value}`]),
  ])

test.each<[JobSpec, number]>([
  [['trim', { start: 0, duration: 2, precise: false }], 2],
  [['trim', { start: 1, duration: 2 }], 2],
  [['convert', { format: 'mkv' }], 4],
])('%j drops the statistics tags of its input', async (spec, seconds) => {
  const { path, output, run } = await operate(await clip(), spec)
  expect(output.duration_seconds).toBeGreaterThan(seconds - 0.05)
  expect(output.duration_seconds).toBeLessThan(seconds + 0.1)
  const { streams } = await runFfprobe(path, run)
  const names = streams.flatMap(({ tags }) => Object.keys(tags))
  expect(names.filter((name) => name.endsWith('-eng') || name.startsWith('_STATISTICS'))).toEqual([])
})
