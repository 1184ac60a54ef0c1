import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { parseEnvironment } from '../environment.ts'
import type { Run } from '../runtime/run.ts'
import { probeVideo } from './probe.ts'

const execute = promisify(execFile)
let folder: string
let run: Run

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-probe-'))
  const addresses = { EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', S3_ENDPOINT: 'http://127.0.0.1' }
  const environment = parseEnvironment({ ...addresses, S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' })
  run = { folder, environment, signal: new AbortController().signal }
})
afterAll(() => rm(folder, { recursive: true }))

const VIDEO_INPUT = ['-f', 'lavfi', '-i', 'testsrc2=duration=2:size=160x90:rate=25']
const TONE = ['-f', 'lavfi', '-i', 'sine=duration=2']
const FAST = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

async function make(name: string, args: readonly string[]): Promise<string> {
  const path = join(folder, name)
  await execute('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, path])
  return path
}

test('measures a plain clip', async () => {
  const probe = await probeVideo(await make('plain.mp4', [...VIDEO_INPUT, ...TONE, ...FAST]), run)
  expect(probe).toMatchObject({
    container: 'mov,mp4,m4a,3gp,3g2,mj2',
    video: { index: 0, codec: 'h264', width: 160, height: 90, rotation_degrees: 0, frames_per_second: 25 },
    audio: [{ index: 1, codec: 'aac', channels: 1 }],
  })
  expect(probe.duration_seconds).toBeCloseTo(2, 1)
})

test.each([
  [90, [0, 1, -1, 0]],
  [180, [-1, 0, 0, -1]],
  [270, [0, -1, 1, 0]],
] as const)('measures a clip rotated by %i degrees in its displayed size', async (degrees, matrix) => {
  const path = await make('turned.mp4', [...VIDEO_INPUT, ...FAST])
  await writeFile(path, turn(await readFile(path), matrix))
  const { video } = await probeVideo(path, run)
  expect(video.rotation_degrees).toBe(degrees)
  expect([video.width, video.height]).toEqual(degrees === 180 ? [160, 90] : [90, 160])
})

/** Writes a display matrix into the track header in 16.16 fixed point, as cameras do. */
function turn(clip: Buffer, [a, b, c, d]: readonly [number, number, number, number]): Buffer {
  const start = clip.indexOf('tkhd', 0, 'latin1') + 44
  for (const [index, value] of [a, b, 0, c, d].entries())
    clip.writeInt32BE(value * 0x10000, start + 4 * index)
  return clip
}

test('scales to square pixels', async () => {
  const path = await make('wide.mp4', [...VIDEO_INPUT, '-vf', 'setsar=4/3', ...FAST])
  expect((await probeVideo(path, run)).video).toMatchObject({ width: 213, height: 90 })
})

test('measures a recording without a declared duration by its packets', async () => {
  const path = await make('live.webm', [
    ...VIDEO_INPUT,
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
    '-live',
    '1',
  ])
  expect((await probeVideo(path, run)).duration_seconds).toBeCloseTo(2, 0)
})

test('does not treat a recording as short if its packets cannot be counted', async () => {
  const path = await make('counted.webm', [
    ...VIDEO_INPUT,
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
    '-live',
    '1',
  ])
  await writeFile(join(folder, 'ffmpeg'), '#!/bin/sh\nexit 1\n', { mode: 0o700 })
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  await expect(probeVideo(path, run)).rejects.toMatchObject({ error_code: 'processing_failed' })
})

test('does not treat cover art as video', async () => {
  const cover = await make('cover.png', [...VIDEO_INPUT, '-frames:v', '1'])
  const attached = [
    '-map',
    '0',
    '-map',
    '1',
    '-c:a',
    'aac',
    '-c:v',
    'png',
    '-disposition:v:0',
    'attached_pic',
  ]
  const path = await make('song.m4a', [...TONE, '-i', cover, ...attached])
  await expect(probeVideo(path, run)).rejects.toMatchObject({ error_code: 'wrong_kind' })
})
