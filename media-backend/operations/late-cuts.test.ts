/** @module-tag extended */

import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { decodeFrame } from '../testing/frames.ts'
import { carryOut, frameLevels, type JobSpec, operate } from '../testing/operate.ts'

/** Clip length in seconds. Second N is a gray of brightness 16 + 3N with a 40 ms click in the middle. */
const SECONDS = 60
const clip = (keyframe_seconds: number) => [
  ...['-f', 'lavfi', '-i', `color=black:s=64x64:r=10:d=${SECONDS},geq=lum='16+3*floor(N/10)':cb=128:cr=128`],
  ...[
    '-f',
    'lavfi',
    '-i',
    `aevalsrc='if(between(mod(t,1),0.5,0.54),0.5*sin(6000*t),0)':d=${SECONDS}:s=48000`,
  ],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-qp', '0', '-bf', '0', '-sc_threshold', '0', '-c:a', 'aac'],
  ...['-g', String(10 * keyframe_seconds), '-keyint_min', String(10 * keyframe_seconds)],
]

const CONTAINERS = {
  ts: () => [],
  m2ts: () => ['-f', 'mpegts', '-mpegts_m2ts_mode', '1'],
  flv: () => [],
  'live.mkv': () => ['-f', 'matroska', '-live', '1'],
  'fragments.mp4': () => ['-movflags', 'frag_keyframe+empty_moov'],
  avi: () => ['-c:a', 'libmp3lame'],
} as const

type Container = keyof typeof CONTAINERS

const clips = new Map<string, Promise<Buffer>>()

function clipIn(container: Container, keyframe_seconds: number): Promise<Buffer> {
  const key = `${keyframe_seconds}.${container}`
  const made = clips.get(key) ?? make(container, keyframe_seconds)
  clips.set(key, made)
  return made
}

async function make(container: Container, keyframe_seconds: number): Promise<Buffer> {
  const made = await withFile(await makeClip('late.mp4', clip(keyframe_seconds)), (path) =>
    makeClip(`late.${container}`, ['-i', path, '-c', 'copy', ...CONTAINERS[container]()]),
  )
  if (container === 'avi') made.write('JUNK', made.lastIndexOf('idx1'), 'latin1')
  return made
}

async function seconds(path: string): Promise<number[]> {
  return (await frameLevels(path)).map(({ level }) => Math.round((level - 16) / 3))
}

const CUTS = [
  ['after the last keyframe, where a seek finds nothing to decode', 600, 45],
  ['before the next keyframe, where the video would start late', 45, 40],
] as const

async function requireExactCut(content: Buffer, spec: JobSpec, start: number) {
  const { path, output } = await operate(content, spec)
  const seen = await seconds(path)
  // In containers that start with audio, the video starts slightly later.
  expect(Math.abs((seen[0] ?? 0) - start)).toBeLessThanOrEqual(1)
  expect(Math.abs((seen.at(-1) ?? 0) - (start + 8))).toBeLessThanOrEqual(1)
  // The frames that are displayed at both ends are whole.
  expect(output.duration_seconds).toBeGreaterThan(7.95)
  expect(output.duration_seconds).toBeLessThan(8.2)
  expect(output.audio).toHaveLength(1)
}

describe.each(Object.keys(CONTAINERS) as Container[])('far from a keyframe in a .%s', (container) => {
  test.each(CUTS)('a cut %s is exact', async (_, keyframe_seconds, start) => {
    await requireExactCut(await clipIn(container, keyframe_seconds), ['trim', { start, duration: 8 }], start)
  })
})

describe.each(CUTS)('a start %s', (_, keyframe_seconds, start) => {
  test('gives a GIF the right first frame and all its frames', async () => {
    const { path } = await carryOut(await clipIn('ts', keyframe_seconds), [
      'gif',
      { start, duration: 3, fps: 5 },
    ])
    const shown = await frameLevels(path)
    expect(shown).toHaveLength(15)
    expect(Math.abs((shown[0]?.level ?? 0) - (16 + 3 * start))).toBeLessThan(8)
  })

  test('gives a thumbnail the frame at its timestamp', async () => {
    const spec = ['thumbnail', { at: start + 0.5, format: 'png' }] as const
    const { path } = await carryOut(await clipIn('ts', keyframe_seconds), [...spec])
    const [gray] = (await decodeFrame(await readFile(path))).colorAt(32, 32)
    expect(Math.abs(gray - (start * 3 * 255) / 219)).toBeLessThan(5)
  })
})

test('a circle video is exact as well', async () => {
  const [[, keyframe_seconds, start]] = CUTS
  const spec: JobSpec = ['circle', { start, duration: 8, diameter: 64 }]
  await requireExactCut(await clipIn('ts', keyframe_seconds), spec, start)
})

test('reading without decoded frames never decreases progress', async () => {
  const { percents } = await carryOut(await clipIn('ts', 600), ['trim', { start: 50, duration: 8 }])
  expect(percents).toEqual([...percents].sort((one, other) => one - other))
  expect(percents.at(-1)).toBe(100)
})

test('edits after the cut are applied', async () => {
  const specs = [['trim', { start: 50, duration: 4 }], ['flip'], ['fps', { fps: 5 }]] as const
  const { path } = await carryOut(await clipIn('ts', 600), [...specs[0]], [...specs[1]], [...specs[2]])
  const seen = await seconds(path)
  expect(seen[0]).toBeGreaterThanOrEqual(49)
  expect(seen).toHaveLength(20)
})

test.each([
  ['mp4', ['gif', 'compress', 'trim']],
  ['ts', ['gif', 'compress', 'fps', 'speed', 'circle', 'mute', 'trim']],
  ['flv', ['gif', 'compress', 'trim']],
  ['mkv', ['gif', 'compress', 'trim']],
])('a .%s of one frame works in operations that need only a frame: %j', async (container, keys) => {
  const one = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=25', '-frames:v', '1', '-c:v', 'libx264']
  const clip = await makeClip(`one.${container}`, [...one, '-pix_fmt', 'yuv420p'])
  for (const key of keys) {
    const { path } = await carryOut(clip, [key])
    expect(await frameLevels(path)).not.toEqual([])
  }
})
