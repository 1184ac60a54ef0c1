import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { audioOnly, makeClip, video } from '../testing/clips.ts'
import { LONE_ENVIRONMENT as environment } from '../testing/environment.ts'
import { measureResult } from './measure-result.ts'

test.each([
  ['stripped.jpg', 'jpeg'],
  ['stripped.tif', 'tiff'],
  ['stripped.webp', 'webp'],
])('reports the format of %s as %s', async (file, format) => {
  const run = { folder: tmpdir(), environment, signal: new AbortController().signal }
  const size = { width: 4, height: 3 }
  const body = await measureResult(
    { encode_mode: null, steps: [], outputs: [{ file }] },
    new Map([[file, size]]),
    run,
  )
  expect(body).toEqual({ ...size, format })
})

const empty = () =>
  makeClip('empty.mp4', [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=duration=1:size=64x64',
    '-ss',
    '5',
    '-c:v',
    'libx264',
  ])

async function measure(content: Buffer, encode_mode: 'encode' | null) {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-measure-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'result.mp4'), content)
  const run = { folder, environment, signal: new AbortController().signal }
  return measureResult({ encode_mode, steps: [], outputs: [{ file: 'result.mp4' }] }, new Map(), run)
}

test.each([
  ['nothing', empty],
  ['audio only', audioOnly],
])('fails if the encoded video contains %s', async (_, make) => {
  await expect(measure(await make(), 'encode')).rejects.toMatchObject({ error_code: 'processing_failed' })
})

test('accepts a download that contains only audio', async () => {
  expect(await measure(await audioOnly(), null)).toMatchObject({ format: 'mp4' })
  expect(await measure(await video(1), 'encode')).toMatchObject({ width: 320, height: 180 })
})

test('measures a GIF by the displayed frame times', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-measure-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const raw = { width: 8, height: 24, channels: 3, pageHeight: 8 } as const
  const pixels = Buffer.from(Array.from({ length: 8 * 24 * 3 }, (_, index) => (index * 37) % 256))
  await sharp(pixels, { raw })
    .gif({ delay: [0, 10, 50] })
    .toFile(join(folder, 'result.gif'))
  const run = { folder, environment, signal: new AbortController().signal }
  const body = await measureResult(
    { encode_mode: null, steps: [], outputs: [{ file: 'result.gif' }] },
    new Map(),
    run,
  )
  expect(body.duration_seconds).toBe(0.25)
})
