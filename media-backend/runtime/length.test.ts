/** @module-tag extended */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClip, video } from '../testing/clips.ts'
import { type JobRunner, startJobRunner } from '../testing/run-job.ts'

const execute = promisify(execFile)

let jobs: JobRunner
let misdeclared_clip: Buffer

beforeAll(async () => {
  jobs = await startJobRunner()
  misdeclared_clip = await makeMisdeclaredClip(30, 1)
})
afterAll(() => jobs.close())

/** Makes a Matroska file whose header declares an incorrect duration. */
async function makeMisdeclaredClip(seconds: number, declared_seconds: number): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-length-'))
  const path = join(folder, 'clip.mkv')
  const videoInput = ['-f', 'lavfi', '-i', `testsrc2=duration=${seconds}:size=64x64:rate=10`]
  const audioInput = ['-f', 'lavfi', '-i', `sine=duration=${seconds}`]
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  // Removes the tag in which each track declares its duration by default.
  const plain = ['-bitexact', '-map_metadata', '-1']
  await execute('ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    ...videoInput,
    ...audioInput,
    ...codecs,
    ...plain,
    path,
  ])
  const clip = await readFile(path)
  await rm(folder, { recursive: true })
  const duration = clip.indexOf(Buffer.from([0x44, 0x89, 0x88]))
  clip.writeDoubleBE(declared_seconds * 1000, duration + 3)
  return clip
}

test.each([
  ['an encode', 'compress'],
  ['a copy', 'mute'],
  ['a transcription', 'auto_edit'],
  ['a loudness measurement', 'enhance_voice'],
])('stops %s at the length limit, whatever the header declares', async (_name, key) => {
  const spec = { operation_key: key, params: {}, max_input_seconds: 10, tier: 'free' } as const
  expect(await jobs.fail(spec, { input: misdeclared_clip })).toBe(
    'The video is longer than its header declares; the free tier allows up to 10 s. Use a shorter video.',
  )
})

test('stops slow motion of a file longer than declared at the length limit', async () => {
  const spec = {
    operation_key: 'speed',
    params: { factor: 0.5 },
    max_input_seconds: 40,
    tier: 'free',
  } as const
  expect(await jobs.fail(spec, { input: misdeclared_clip })).toBe(
    'The video is longer than its header declares; the free tier allows up to 40 s. Use a shorter video.',
  )
})

test('refuses operations whose result exceeds the tier limit before any step runs', async () => {
  const slow = { operation_key: 'speed', params: { factor: 0.1 } }
  const clip = await video(2)
  const ceiling = { max_input_seconds: 600, tier: 'anonymous' } as const
  expect(await jobs.fail({ ...slow, ...ceiling, pipeline: [slow, slow, slow] }, { input: clip })).toBe(
    'The result would be 5 h 33 min 20 s long, but the anonymous tier allows up to 10 min. ' +
      'Trim the video first, or slow it down less.',
  )
  const short = { ...ceiling, max_input_seconds: 10 }
  expect(await jobs.fail({ ...slow, ...short }, { input: clip })).toContain('would be 20 s long')
  const { outcome } = await jobs.run({ ...slow, ...short, params: { factor: 0.2 } }, { input: clip })
  expect(outcome.body.duration_seconds).toBeCloseTo(10, 0)
})

test('measures a file concatenated from several by all of its parts', async () => {
  const part = await makeClip('joined.ts', ['-f', 'lavfi', '-i', 'testsrc2=duration=8:size=64x64:rate=10'])
  const spec = { operation_key: 'mute', params: {}, max_input_seconds: 10, tier: 'free' } as const
  expect(await jobs.fail(spec, { input: Buffer.concat([part, part]) })).toBe(
    'The video is 16 s long; the free tier allows up to 10 s. Use a shorter video.',
  )
})

test('accepts an input within the limit although its header declares a wrong duration', async () => {
  const { outcome } = await jobs.run(
    { operation_key: 'compress', max_input_seconds: 30 },
    { input: misdeclared_clip },
  )
  expect(outcome.status).toBe('done')
})
