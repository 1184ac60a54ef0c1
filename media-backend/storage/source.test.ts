import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { parseEnvironment } from '../environment.ts'
import { probeVideo } from '../probe/probe.ts'
import { JobFailure, WorkStopped } from '../runtime/failure.ts'
import { fileIn } from '../runtime/folder.ts'
import type { Run } from '../runtime/run.ts'
import { largeVideo, longVideo, video } from '../testing/clips.ts'
import { etagOf } from '../testing/object-server.ts'
import { packetHashes } from '../testing/operate.ts'
import { type JobRunner, startJobRunner } from '../testing/run-job.ts'
import { startThrottledProxy } from '../testing/throttled-proxy.ts'
import { videoUnits } from '../testing/units.ts'
import { openSource } from './source.ts'
import { createStorage } from './storage.ts'

let runner: JobRunner
let clips: Record<'mp4' | 'mkv' | 'ts' | 'flv' | 'film', Buffer>

beforeAll(async () => {
  runner = await startJobRunner()
  clips = {
    mp4: await largeVideo('mp4'),
    mkv: await largeVideo('mkv'),
    ts: await largeVideo('ts'),
    flv: await packAsFlash(await largeVideo('mp4')),
    film: await longVideo(),
  }
}, 60_000)
afterAll(() => runner.close())

/** Packs a clip into a container with a keyframe index, as websites do. */
async function packAsFlash(clip: Buffer): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-flash-'))
  await writeFile(join(folder, 'clip.mp4'), clip)
  const listed = ['-c', 'copy', '-flvflags', 'add_keyframe_index']
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', 'clip.mp4', ...listed, 'clip.flv'], {
    cwd: folder,
  })
  const packed = await readFile(join(folder, 'clip.flv'))
  await rm(folder, { recursive: true })
  return packed
}

/** Runs a job on a clip. Returns the fraction of the clip's bytes that were read from storage. */
async function shareRead(container: keyof typeof clips, spec: Partial<Dispatch>) {
  runner.server.sent_bytes.clear()
  const whole = { filename: 'clip.mp4', max_input_seconds: 3600 }
  const done = await runner.run({ ...whole, ...spec }, { input: clips[container] })
  const sent_bytes = [...runner.server.sent_bytes.values()].reduce((sum, bytes) => sum + bytes, 0)
  return { ...done, fraction: sent_bytes / clips[container].length }
}

test.each([
  ['mp4', 'thumbnail', {}, 0.12],
  ['mkv', 'thumbnail', { at: 50 }, 0.12],
  ['ts', 'thumbnail', { at: 45 }, 0.25],
  ['ts', 'thumbnail', { smart: true }, 0.25],
  ['ts', 'thumbnail', { at: 45, smart: true }, 0.25],
  ['flv', 'thumbnail', { at: 45 }, 0.2],
  ['mp4', 'thumbnail', { smart: true }, 0.25],
  ['mkv', 'cover', { title: 'A title' }, 0.25],
  // A long video, in which more timestamps are compared than in a short one.
  ['film', 'thumbnail', { smart: true }, 0.15],
  ['mp4', 'gif', { start: 20, duration: 1, width: 64 }, 0.2],
  ['ts', 'gif', { start: 30, duration: 1, width: 64 }, 0.35],
  ['ts', 'trim', { start: 40, duration: 1 }, 0.35],
  ['mp4', 'trim', { start: 30, duration: 5, precise: false }, 0.25],
  ['mkv', 'trim', { start: 0, duration: 5 }, 0.25],
] as const)(
  'reads a small part of a large %s for %s %j',
  { tags: ['extended'] },
  async (container, operation_key, params, most) => {
    const { fraction } = await shareRead(container, { operation_key, params })
    expect(fraction).toBeLessThan(most)
  },
)

test('downloads an input once if most of it is needed', async () => {
  const { fraction } = await shareRead('mp4', { operation_key: 'mute' })
  expect(fraction).toBeLessThan(1.03)
})

test('copies the packets of a part unchanged', async () => {
  const { path, outcome } = await shareRead('mp4', {
    operation_key: 'trim',
    params: { start: 30, duration: 5, precise: false },
  })
  const whole = join(await makeFolder(), 'whole.mp4')
  await writeFile(whole, clips.mp4)
  const [parts, all] = await Promise.all([packetHashes(path, 'v'), packetHashes(whole, 'v')])
  expect(outcome.body).toMatchObject({ encode_mode: 'remux' })
  expect(parts.length).toBeGreaterThan(5 * 25)
  expect(all.join(' ')).toContain(parts.join(' '))
})

test('copies the units of a part unchanged if the stream has no index', { tags: ['extended'] }, async () => {
  const params = { start: 30, duration: 5, precise: false }
  const { path, fraction } = await shareRead('ts', { operation_key: 'trim', params })
  expect(fraction).toBeLessThan(0.25)
  const whole = join(await makeFolder(), 'whole.ts')
  await writeFile(whole, clips.ts)
  const [part, all] = [await videoUnits(path, 'lengths'), await videoUnits(whole, 'start codes')]
  expect(part.length).toBeGreaterThan(5 * 25)
  expect(all.join(' ')).toContain(part.join(' '))
  expect((await packetHashes(whole, 'a', 'aac_adtstoasc')).join(' ')).toContain(
    (await packetHashes(path, 'a')).join(' '),
  )
})

test.each(['mp4', 'ts'] as const)(
  'reads the same frame from parts of an .%s as from the whole file',
  async (container) => {
    const spec = { operation_key: 'thumbnail', params: { at: 31.5, format: 'png' } }
    const { content } = await shareRead(container, spec)
    // Imports are always downloaded in full.
    const open = await startJobRunner({ ALLOW_PRIVATE_SOURCES: 'true' })
    onTestFinished(() => open.close())
    open.server.objects.set('whole', clips[container])
    const url = `${open.server.url}/media-files/whole`
    const whole = await open.run({ ...spec, source: { kind: 'url', url } })
    expect(open.server.sent_bytes.get('whole')).toBe(clips[container].length)
    expect(content.equals(whole.content)).toBe(true)
  },
)

test('downloads a small file once', async () => {
  const input = await video(20)
  for (const input_bytes of [undefined, input.length]) {
    runner.server.sent_bytes.clear()
    await runner.run({ operation_key: 'thumbnail', input_bytes }, { input })
    expect([...runner.server.sent_bytes.values()]).toEqual([input.length])
  }
})

test('refuses a file over the length limit after reading a small part of it', async () => {
  runner.server.sent_bytes.clear()
  const spec = { operation_key: 'trim', max_input_seconds: 30, tier: 'free' } as const
  expect(await runner.fail(spec, { input: clips.mp4 })).toContain('the free tier allows up to 30 s')
  expect([...runner.server.sent_bytes.values()][0]).toBeLessThan(clips.mp4.length / 10)
})

test('begins the download before the probe ends, and stops it if the probe refuses the file', async () => {
  const proxy = await startThrottledProxy(() => slow.server.url)
  const slow = await startJobRunner({ S3_ENDPOINT: proxy.url })
  onTestFinished(async () => {
    await proxy.close()
    await slow.close()
  })
  const spec = { operation_key: 'compress', max_input_seconds: 5, tier: 'free' } as const
  const input = clips.ts.subarray(0, 10 * 1024 * 1024)
  expect(await slow.fail(spec, { input })).toContain('the free tier allows up to 5 s')
  expect(proxy).toMatchObject({ files_started: 1, passed_bytes: 0 })
})

test.each([
  ['a small file', () => video(1), 'mute'],
  ['a large file that is read in parts', async () => clips.mp4, 'thumbnail'],
  ['a large file that is downloaded', async () => clips.mp4, 'mute'],
] as const)(
  'fails, without a retry, for %s that was replaced after its check',
  async (_name, make, operation_key) => {
    const input = await make()
    runner.server.objects.set('checked', input)
    const read = (etag: string) => ({
      operation_key,
      source: { kind: 'object' as const, key: 'checked', etag },
    })
    await runner.run(read(etagOf(input)))
    expect(await runner.fail(read(etagOf(Buffer.from('another file'))))).toContain(
      'replaced after it had been checked',
    )
  },
)

test.each([
  ['a playlist', (space: string) => `#EXTM3U\n#EXTINF:9,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n${space}`],
  ['a list of files', (space: string) => `ffconcat version 1.0\nfile '/etc/hostname'\n${space}`],
  ['blanks', (space: string) => space],
])('refuses %s of many megabytes', async (_name, make) => {
  const input = Buffer.from(make('\n'.repeat(9 * 1024 * 1024)))
  expect(await runner.fail({ operation_key: 'thumbnail' }, { input })).toMatch(/not a readable video/)
})

test('a storage failure is an internal error, although ffmpeg treats it as the end of the file', async () => {
  const { source, run } = await openLarge()
  await source.use((reading) => probeVideo(fileIn(run.folder, 'source'), reading))
  runner.server.failing = 503
  onTestFinished(() => {
    runner.server.failing = null
  })
  let later: ArrayBuffer | null | undefined
  const reading = source.use(async ({ source_url }) => {
    const readFrom = async (share: number) => {
      const headers = { range: `bytes=${Math.floor(clips.mp4.length * share)}-` }
      return (await fetch(source_url ?? '', { headers })).arrayBuffer()
    }
    // Far from the bytes that the probe has read.
    await readFrom(0.5).catch(() => null)
    runner.server.failing = null
    later = await readFrom(0.75).catch(() => null)
  })
  const error: unknown = await reading.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(JobFailure)
  expect(String(error)).toContain('503')
  expect(later, 'a read after the one that failed').toBeNull()
})

test('serves the input only at its secret path, and not after close', async () => {
  const { source } = await openLarge()
  const url = await source.use(async ({ source_url }) => source_url ?? '')
  expect((await fetch(new URL('/', url))).status).toBe(404)
  expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(404)
  const part = await fetch(url, { headers: { range: 'bytes=100-' } })
  const length = Number(part.headers.get('content-length'))
  expect(Buffer.from(await part.arrayBuffer()).equals(clips.mp4.subarray(100, 100 + length))).toBe(true)
  await source.close()
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('stops reading on cancel', async () => {
  const controller = new AbortController()
  const { source, run } = await openLarge(controller.signal)
  const probing = source.use((reading) => {
    controller.abort(new WorkStopped('cancelled'))
    return probeVideo(fileIn(run.folder, 'source'), reading)
  })
  await expect(probing).rejects.toBeInstanceOf(WorkStopped)
  await source.close()
})

async function openLarge(signal = new AbortController().signal) {
  const folder = await makeFolder()
  const addresses = { EDGE_URL: runner.server.url, FLEET_KEYS: 'YWFh', S3_ENDPOINT: runner.server.url }
  const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
  const environment = parseEnvironment({ ...addresses, ...keys, STORAGE_OUTAGE_SECONDS_MAX: '0' })
  const run: Run = { folder, environment, signal }
  runner.server.objects.set('large', clips.mp4)
  const dispatch = { source: { kind: 'object', key: 'large' } } as const
  const source = await openSource(dispatch, ['probe'], run, createStorage(environment), () => {})
  onTestFinished(() => source.close())
  return { source, run }
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-source-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
