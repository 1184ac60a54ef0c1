import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, inject, test } from 'vitest'
import type { Client, Job } from '../dev/client.ts'
import { fuzzSamples, type MutatedJob, mutatedJob } from '../media-backend/testing/mutate.ts'
import { FAILURES } from '../shared/failures/failures.ts'
import { openAccount } from './support/accounts.ts'
import { makeClip } from './support/clips.ts'
import { expectChargedOnce, fillBalanceTo } from './support/credits.ts'
import { makeTestFolder } from './support/folder.ts'
import { type OperationName, run, upload } from './support/jobs.ts'

const system = inject('system')
const folder = makeTestFolder()

type Content = string | Buffer | Promise<Buffer>

const SECRET = '/etc/passwd'
const LOCAL_PLAYLIST = `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nfile://${SECRET}\n#EXT-X-ENDLIST\n`
const REMOTE_PLAYLIST = `#EXTM3U\n#EXTINF:10.0,\n${system.api_url}/api/health\n#EXT-X-ENDLIST\n`
const CONCAT = `ffconcat version 1.0\nfile 'file://${SECRET}'\n`
const REMOTE_CONCAT = `ffconcat version 1.0\nfile '${system.api_url}/api/health'\n`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><image href="file://${SECRET}"/></svg>`
const TEXT = 'Dear service, this is no video.\n'.repeat(100)

const NOT_AN_IMAGE =
  'The file is not an image in a supported format. Use JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF.'
const SVG_INPUT =
  'SVG images with references to other files are not supported. Remove them, or save the image as PNG.'
const CORRUPT_IMAGE = 'The image is truncated or corrupt. Upload the whole file.'
const AUDIO_ONLY = 'The file has audio only. Use a file with a video track.'

const CASES: [string, OperationName, string, () => Content, string, string][] = [
  [
    'a playlist of local files',
    'video/compress',
    'a.mp4',
    () => LOCAL_PLAYLIST,
    'input_unreadable',
    FAILURES.media_unreadable.text.en,
  ],
  [
    'a playlist of URLs',
    'video/thumbnail',
    'b.mp4',
    () => REMOTE_PLAYLIST,
    'input_unreadable',
    FAILURES.media_unreadable.text.en,
  ],
  [
    'a concat script',
    'video/trim',
    'c.mp4',
    () => CONCAT,
    'input_unreadable',
    FAILURES.media_unreadable.text.en,
  ],
  [
    'a concat script of URLs',
    'video/compress',
    'd.mp4',
    () => REMOTE_CONCAT,
    'input_unreadable',
    FAILURES.media_unreadable.text.en,
  ],
  [
    'a text file',
    'video/compress',
    'e.mp4',
    () => TEXT,
    'input_unreadable',
    FAILURES.media_unreadable.text.en,
  ],
  ['one byte', 'video/compress', 'f.mp4', () => 'x', 'input_unreadable', FAILURES.media_unreadable.text.en],
  [
    'a truncated MP4',
    'video/compress',
    'g.mp4',
    truncatedClip,
    'input_unreadable',
    FAILURES.media_unreadable.text.en,
  ],
  // It has the signature of a video file, so only the fleet detects that there is no video in it.
  ['an MP4 with audio only', 'video/compress', 'h.mp4', audioClip, 'wrong_kind', AUDIO_ONLY],
  ['an SVG with references, named .png', 'image/resize', 'i.png', () => SVG, 'input_unreadable', SVG_INPUT],
  ['a text file named .jpg', 'image/convert', 'j.jpg', () => TEXT, 'input_unreadable', NOT_AN_IMAGE],
  ['one byte named .webp', 'image/resize', 'k.webp', () => 'x', 'input_unreadable', NOT_AN_IMAGE],
  ['a truncated JPEG', 'image/convert', 'l.jpg', truncatedImage, 'input_unreadable', CORRUPT_IMAGE],
  [
    'a PNG with less data than declared',
    'image/resize',
    'm.png',
    () => makePng(4000, 4000),
    'input_unreadable',
    CORRUPT_IMAGE,
  ],
  [
    'a PNG with huge dimensions',
    'image/resize',
    'n.png',
    () => makePng(60_000, 60_000),
    'input_too_large',
    'The image has more than 268 megapixels. Use a smaller image.',
  ],
]

test.each(CASES)(
  '%s fails in %s with a clear error and a full refund',
  async (_name, operation, filename, make, error_code, error) => {
    const file = join(folder, filename)
    await writeFile(file, await make())
    const { client } = await openAccount(system.api_url)
    const params = operation === 'image/resize' ? { width: 64 } : {}
    const job = await run(client, operation, await upload(client, file), params)
    expect(job).toMatchObject({ status: 'failed', error, error_code, result: null })
    expect(await client.balance()).toBe(20)
    await expectChargedOnce(client, [job])
    expect(await listLeftovers(job.id)).toEqual([])
  },
)

test('a file of the wrong kind is refused on submission with both kinds named', async () => {
  const song = join(folder, 'song.mp3')
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'sine=duration=1', song])
  const { client } = await openAccount(system.api_url)
  await expect(run(client, 'video/compress', await upload(client, song))).rejects.toMatchObject({
    status: 400,
    body: { code: 'wrong_file_kind', detail: expect.stringMatching(/a video.*an audio file/) },
  })
  expect((await client.ledger()).map(({ entry_type }) => entry_type)).toEqual(['daily_free'])
})

test('a parameter that does not fit the file is named, and the job is refunded in full', async () => {
  const { client } = await openAccount(system.api_url)
  const clip = await makeClip(folder, { name: 'short.mp4', seconds: 1 })
  const job = await run(client, 'video/trim', await upload(client, clip), { start: 5 })
  expect(job).toMatchObject({ status: 'failed', error_code: 'parameter_refused' })
  expect(job.error).toMatch(/^start is 5 s, but the video is only 1(\.\d+)? s long\.?$/)
  await expectChargedOnce(client, [job])
})

test('each of 24 corrupt files is processed or refunded in full, and the ledger is consistent', async () => {
  const { client, id } = await openAccount(system.api_url)
  const before = 50
  await fillBalanceTo(system.database_url, id, before)
  const samples = await fuzzSamples()
  // Two files of each format, each corrupted differently and sent to a different operation.
  const corrupt = Array.from({ length: 24 }, (_, index) => mutatedJob(samples, 1, 13 * index))
  const jobs = await Promise.all(corrupt.map((job, index) => runCorrupt(client, job, `corrupt-${index}`)))
  expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['done', 'failed']))
  expect(jobs.filter(({ error }) => error === FAILURES.internal.text.en)).toEqual([])
  await expectChargedOnce(client, jobs)
  const balance = before - jobs.reduce((sum, { final_cost }) => sum + (final_cost ?? Number.NaN), 0)
  expect(await client.verifyLedger()).toMatchObject({
    ok: true,
    ...{ balance, ledger_sum: balance, grants_sum: balance },
  })
  expect((await Promise.all(jobs.map((job) => listLeftovers(job.id)))).flat()).toEqual([])
})

async function runCorrupt(client: Client, { spec, input }: MutatedJob, filename: string): Promise<Job> {
  const file = join(folder, filename)
  await writeFile(file, input)
  const file_url = await upload(client, file)
  const { id } = await client.submit({ ...spec, params: { ...spec.params, file_url } })
  return client.waitForJob(id, 100_000)
}

async function listLeftovers(job_id: string): Promise<string[]> {
  return (await readdir(system.work_directory)).filter((name) => name.includes(job_id))
}

async function truncatedClip(): Promise<Buffer> {
  const bytes = await readFile(await makeClip(folder, { name: 'whole.mp4', seconds: 2 }))
  return bytes.subarray(0, bytes.length / 2)
}

async function audioClip(): Promise<Buffer> {
  const file = join(folder, 'audio.mp4')
  const args = ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'aac', '-f', 'mp4', file]
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args])
  return readFile(file)
}

async function truncatedImage(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const bytes = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer()
  return bytes.subarray(0, bytes.length / 2)
}

/** Builds a PNG that contains little data, regardless of its declared dimensions. */
function makePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const data = deflateSync(Buffer.alloc(100_000))
  const parts = [makeChunk('IHDR', header), makeChunk('IDAT', data), makeChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...parts])
}

function makeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
