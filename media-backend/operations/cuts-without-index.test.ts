/** @module-tag extended */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { carryOut } from '../testing/operate.ts'

/** The frames are detailed, so a frame decoded without its reference frames looks visibly different. */
const VIDEO_INPUT = [
  ...['-f', 'lavfi', '-i', 'testsrc2=duration=30:size=160x90:rate=25'],
  ...['-f', 'lavfi', '-i', 'sine=duration=30'],
]
const CODECS = {
  'MPEG-2': ['-c:v', 'mpeg2video', '-q:v', '3', '-bf', '2', '-sc_threshold', '1000000000'],
  'H.264': ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '15', '-sc_threshold', '0'],
  HEVC: [
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '15'],
    ...['-x265-params', 'log-level=none:scenecut=0'],
  ],
} as const

/** Compares each frame with the same frame in another video; 1 means identical. */
async function likeness(path: string, other: string): Promise<number[]> {
  const compared = ['-lavfi', '[0:v][1:v]ssim=stats_file=-', '-f', 'null', '/dev/null']
  const { stdout } = await promisify(execFile)('ffmpeg', [
    '-v',
    'error',
    '-i',
    path,
    '-i',
    other,
    ...compared,
  ])
  return [...stdout.matchAll(/ All:(\S+)/g)].map(([, all]) => Number(all))
}

test.each([
  ['MPEG-2', 1],
  ['MPEG-2', 8],
  ['H.264', 8],
  ['HEVC', 8],
] as const)(
  'cuts a stream of %s exactly with every seek method: a keyframe every %i s',
  async (codec, keyframe_seconds) => {
    const group = ['-g', String(25 * keyframe_seconds), '-keyint_min', String(25 * keyframe_seconds)]
    const stream = await makeClip('detail.ts', [
      ...[...VIDEO_INPUT, '-pix_fmt', 'yuv420p'],
      ...[...CODECS[codec], ...group, '-c:a', 'aac'],
    ])
    const cut = { start: 22.5, duration: 1 }
    const reached = await carryOut(stream, ['trim', cut])
    const read_through = await carryOut(stream, ['speed', { factor: 1 }], ['trim', cut])
    const alike = await likeness(reached.path, read_through.path)
    // Half a frame at both ends.
    expect(alike).toHaveLength(26)
    expect(Math.min(...alike)).toBeGreaterThan(0.99)
  },
)
