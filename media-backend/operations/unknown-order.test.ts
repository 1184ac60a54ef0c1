/** @module-tag extended */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { carryOut, type JobSpec } from '../testing/operate.ts'

const execute = promisify(execFile)
/** Each frame is brighter than the previous one. */
const RAMP = "color=black:duration=2:size=320x180:rate=10,format=gray,geq=lum='20+N*10',format=yuv420p"
const clip = (codec: string) =>
  makeClip(`ramp-${codec}.avi`, ['-f', 'lavfi', '-i', RAMP, '-c:v', codec, '-bf', '2', '-g', '10'])

/** Returns the brightness of each frame in the container's presentation order. */
async function levels(path: string): Promise<number[]> {
  const shown = 'frame=pts_time:frame_tags=lavfi.signalstats.YAVG'
  const source = ['-f', 'lavfi', `movie=${path},signalstats`]
  const args = ['-v', 'error', ...source, '-show_entries', shown, '-of', 'csv=p=0']
  const { stdout } = await execute('ffprobe', args)
  const frames = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number))
  return frames.toSorted(([a = 0], [b = 0]) => a - b).map(([, level = 0]) => level)
}

const SPECS: JobSpec[] = [
  ['faststart'],
  ['convert', { format: 'mkv' }],
  ['strip_metadata'],
  ['mute'],
  ['trim', { start: 0, duration: 1, precise: false }],
]

test.each(SPECS)(
  '%s of H.264 with B-frames in an AVI shows its frames in presentation order',
  async (...spec) => {
    const { path, plan } = await carryOut(await clip('libx264'), spec as JobSpec)
    const shown = await levels(path)
    expect(shown.length).toBeGreaterThan(8)
    expect(shown).toEqual(shown.toSorted((a, b) => a - b))
    expect(plan.encode_mode).toBe('encode')
  },
)

test('copies MPEG-4 video of an AVI, whose order is known', async () => {
  const { path, plan } = await carryOut(await clip('mpeg4'), ['faststart'])
  const shown = await levels(path)
  expect(shown).toEqual(shown.toSorted((a, b) => a - b))
  expect(plan.encode_mode).toBe('remux')
})

/** Makes a clip whose frame times jitter around 30 frames per second, like phone videos. */
const wavering = (codec: string, ...options: string[]) =>
  makeClip(`wavering-${codec}-${options.at(-1)}.mp4`, [
    ...[
      '-f',
      'lavfi',
      '-i',
      `${RAMP.replace('rate=10', 'rate=30').replace('N*10', 'N*3')},settb=1/90000,setpts=(N+0.3*mod(N\\,3))*3000`,
    ],
    ...['-fps_mode', 'passthrough', '-enc_time_base', '1:90000', '-c:v', codec, ...options],
  ])

test.each([
  ['libx264', ['-bf', '2']],
  ['libx265', ['-x265-params', 'log-level=error:bframes=3']],
  ['libx264', ['-bf', '0']],
] as const)(
  'a stream-copied part of variable-rate %s %j shows its frames in presentation order',
  async (codec, options) => {
    const clip = await wavering(codec, ...options)
    for (const params of [{ duration: 1.5 }, { start: 0.5, duration: 1, precise: false }]) {
      const { path, plan } = await carryOut(clip, ['trim', params])
      const shown = await levels(path)
      expect(plan.encode_mode).toBe('remux')
      expect(shown.length).toBeGreaterThan(25)
      expect(shown).toEqual(shown.toSorted((a, b) => a - b))
    }
  },
)
