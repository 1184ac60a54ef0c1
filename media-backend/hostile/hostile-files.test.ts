/** @module-tag extended */

import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { assetKey } from '../../shared/planning/pipeline.ts'
import { type JobAttempts, type JobSpec, startAttempts } from '../testing/attempt-jobs.ts'
import { type Canary, startCanary } from '../testing/canary.ts'
import { type HostileFile, smallClip } from '../testing/hostile-clips.ts'
import { hostileFiles } from '../testing/hostile-files.ts'

/**
 * Sends files that try to open other files and connections, both as job inputs and as assets. `npm run hostile`
 * sends them through every operation and traces the system calls.
 */

// Each test starts dozens of short processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

let canary: Canary
let attempts: JobAttempts
let files: HostileFile[]
let clip: Buffer
let done = 0

beforeAll(async () => {
  canary = await startCanary()
  attempts = await startAttempts()
  files = await hostileFiles(canary)
  clip = await smallClip('plain.mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'])
})
afterAll(() => Promise.all([attempts.close(), canary.close()]))

const video = (operation_key: string, params: JobSpec['params'] = {}): JobSpec => ({
  service_slug: 'video',
  operation_key,
  params,
})
const IMAGE_SPEC: JobSpec = { service_slug: 'image', operation_key: 'convert', params: { format: 'png' } }

/**
 * Lists the violations of one job: none if it succeeded, or if it failed with a proper error. Also counts the
 * successes.
 */
async function faultsOf(name: string, spec: JobSpec, content: Record<string, Buffer>): Promise<string[]> {
  const ending = await attempts.attempt(spec, content)
  if (ending.kind === 'done') done += 1
  const touched = (await canary.touched()).map((what) => `touched ${what}`)
  const left = (await attempts.leftovers()).map((what) => `left ${what}`)
  const internal = ending.kind === 'error' ? [ending.message] : []
  const unsuitable =
    ending.kind === 'failed' && !isUserMessage(ending.message) ? [`failed with ${ending.message}`] : []
  return [...touched, ...left, ...internal, ...unsuitable].map((fault) => `${name}: ${fault}`)
}

function isUserMessage(sentence: string): boolean {
  return (
    /^[A-Za-z][^\n]*\.$/.test(sentence) && !/ffmpeg|ffprobe|sharp|vips|\/tmp|protocol|demuxer/i.test(sentence)
  )
}

test('there are enough files, and they work on an unguarded ffmpeg', async () => {
  expect(files.length).toBeGreaterThanOrEqual(120)
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
  const unguarded = async (name: string, extension: string, ...options: string[]) => {
    const path = join(attempts.work_directory, `unguarded.${extension}`)
    await writeFile(path, files.find((file) => file.name === name)?.content ?? '')
    const protocols = ['-protocol_whitelist', 'file,http,tcp']
    const args = ['-v', 'error', '-nostdin', ...protocols, ...options, '-i', path, '-f', 'null', '-']
    await promisify(execFile)('ffmpeg', args).catch(() => null)
    await rm(path)
    return canary.touched()
  }
  const drefs = ['-enable_drefs', '1', '-use_absolute_path', '1']
  expect(await unguarded('HLS of a path', 'm3u8')).toEqual([canary.clip])
  expect(await unguarded('ffconcat of a URL', 'txt', '-safe', '0')).toEqual(['1 connections'])
  expect(await unguarded('a MOV whose samples are in a file', 'mov', ...drefs)).toEqual([canary.clip])
})

/** A single rule refuses all HLS files; these reach that rule in different ways. */
const HLS =
  /^HLS (of a path|of a URL|with a key file|by (concat:|data:|a lavfi graph)|after .*|with Windows .*)$/
const selectedFiles = () => files.filter(({ name }) => !name.startsWith('HLS') || HLS.test(name))

test('a video job opens no other file or connection', async () => {
  const faults: string[] = []
  for (const { name, content } of selectedFiles().filter(({ service }) => service === 'video'))
    faults.push(...(await faultsOf(name, video('thumbnail'), { input: content })))
  expect(faults).toEqual([])
})

test.each([
  ['strip_metadata', {}],
  ['subtitles', { mode: 'embed', subtitles_text: '1\n00:00:00,000 --> 00:00:00,900\nline\n' }],
])('%s opens no other file or connection for playable files', async (operation_key, params) => {
  const faults: string[] = []
  const before = done
  const playable = /^an? (MOV whose samples are in a file$|AVI|Matroska file|MP4, then)/
  for (const { name, content } of files.filter((file) => playable.test(file.name)))
    faults.push(...(await faultsOf(name, video(operation_key, params), { input: content })))
  expect(done - before).toBeGreaterThan(6)
  expect(faults).toEqual([])
})

test('an image job opens no other file or connection', async () => {
  const faults: string[] = []
  for (const { name, service, content } of selectedFiles()) {
    if (service === 'image' || content.length < 4096)
      faults.push(...(await faultsOf(name, IMAGE_SPEC, { input: content })))
  }
  const images = files.filter(({ name }) => /^a (JPEG|PNG|GIF)/.test(name))
  const strip: JobSpec = { ...IMAGE_SPEC, operation_key: 'strip_meta', params: { strip_gps: true } }
  for (const { name, content } of images) faults.push(...(await faultsOf(name, strip, { input: content })))
  expect(faults).toEqual([])
})

const URL = 'https://media.example.org/asset'
const ASSETS: [string, JobSpec, string, RegExp][] = [
  [
    'a track',
    video('add_audio', { tracks: [{ url: URL }] }),
    'tracks.0.url',
    /^(HLS of a (path|URL)$|HLS with a key|ffconcat of a (path|URL)$|an AVI)/,
  ],
  [
    'a logo',
    video('watermark', { logo_url: URL }),
    'logo_url',
    /^(SVG with (a file|an external entity)|MVG|MSL|P|HLS of a path$)/,
  ],
  [
    'subtitles',
    video('subtitles', { subtitles_url: URL, mode: 'embed' }),
    'subtitles_url',
    /subtitles|ffconcat of a path$|HLS of a (path|URL)$/,
  ],
]

test.each(ASSETS)('%s as an asset opens no other file or connection', async (_kind, spec, asset, names) => {
  const faults: string[] = []
  const chosen = files.filter(({ name }) => names.test(name))
  for (const { name, content } of chosen) {
    faults.push(...(await faultsOf(name, spec, { input: clip, [assetKey(0, asset)]: content })))
  }
  expect(chosen.length).toBeGreaterThan(5)
  expect(faults).toEqual([])
})
