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
 * Files that try to open other files and connections, as the input of a job or as an asset. `npm run hostile`
 * runs them through every operation and watches the system calls.
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
 * Lists the violations of one job; empty if it succeeded or failed with a proper error. Counts the successful
 * ones.
 */
async function faultsOf(name: string, spec: JobSpec, content: Record<string, Buffer>): Promise<string[]> {
  const ending = await attempts.attempt(spec, content)
  if (ending.kind === 'done') done += 1
  const touched = (await canary.touched()).map((what) => `touched ${what}`)
  const left = (await attempts.leftovers()).map((what) => `left ${what}`)
  const said = ending.kind === 'error' ? [ending.message] : []
  const unfit =
    ending.kind === 'failed' && !isForPerson(ending.message) ? [`failed with ${ending.message}`] : []
  return [...touched, ...left, ...said, ...unfit].map((fault) => `${name}: ${fault}`)
}

function isForPerson(sentence: string): boolean {
  return (
    /^[A-Za-z][^\n]*\.$/.test(sentence) && !/ffmpeg|ffprobe|sharp|vips|\/tmp|protocol|demuxer/i.test(sentence)
  )
}

test('has enough files, which do harm if opened without guards', async () => {
  expect(files.length).toBeGreaterThanOrEqual(120)
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
  const careless = async (name: string, extension: string, ...options: string[]) => {
    const path = join(attempts.work_directory, `careless.${extension}`)
    await writeFile(path, files.find((file) => file.name === name)?.content ?? '')
    const protocols = ['-protocol_whitelist', 'file,http,tcp']
    const args = ['-v', 'error', '-nostdin', ...protocols, ...options, '-i', path, '-f', 'null', '-']
    await promisify(execFile)('ffmpeg', args).catch(() => null)
    await rm(path)
    return canary.touched()
  }
  const drefs = ['-enable_drefs', '1', '-use_absolute_path', '1']
  expect(await careless('HLS of a path', 'm3u8')).toEqual([canary.clip])
  expect(await careless('ffconcat of an address', 'txt', '-safe', '0')).toEqual(['1 connections'])
  expect(await careless('a MOV whose samples lie in a file', 'mov', ...drefs)).toEqual([canary.clip])
})

/** One rule refuses all HLS files; these reach it in different ways. */
const HLS =
  /^HLS (of a path|of an address|with a key file|by (concat:|data:|a lavfi graph)|behind .*|with Windows .*)$/
const tried = () => files.filter(({ name }) => !name.startsWith('HLS') || HLS.test(name))

test('opens nothing else in a video job', async () => {
  const faults: string[] = []
  for (const { name, content } of tried().filter(({ service }) => service === 'video'))
    faults.push(...(await faultsOf(name, video('thumbnail'), { input: content })))
  expect(faults).toEqual([])
})

test.each([
  ['strip_metadata', {}],
  ['subtitles', { mode: 'embed', subtitles_text: '1\n00:00:00,000 --> 00:00:00,900\nline\n' }],
])('opens nothing else for files that %s can play', async (operation_key, params) => {
  const faults: string[] = []
  const before = done
  const playable = /^an? (MOV whose samples lie in a file$|AVI|Matroska file|MP4, then)/
  for (const { name, content } of files.filter((file) => playable.test(file.name)))
    faults.push(...(await faultsOf(name, video(operation_key, params), { input: content })))
  expect(done - before).toBeGreaterThan(6)
  expect(faults).toEqual([])
})

test('opens nothing else in an image job', async () => {
  const faults: string[] = []
  for (const { name, service, content } of tried()) {
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
    /^(HLS of an? (path|address)$|HLS with a key|ffconcat of an? (path|address)$|an AVI)/,
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
    /subtitles|ffconcat of a path$|HLS of an? (path|address)$/,
  ],
]

test.each(ASSETS)('opens nothing else as %s', async (_kind, spec, asset, names) => {
  const faults: string[] = []
  const chosen = files.filter(({ name }) => names.test(name))
  for (const { name, content } of chosen) {
    faults.push(...(await faultsOf(name, spec, { input: clip, [assetKey(0, asset)]: content })))
  }
  expect(chosen.length).toBeGreaterThan(5)
  expect(faults).toEqual([])
})
