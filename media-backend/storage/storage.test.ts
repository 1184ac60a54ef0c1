import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWaits } from '../runtime/waits.ts'
import { type ObjectServer, startObjectServer } from '../testing/object-server.ts'
import { startThrottledProxy, type ThrottledProxy } from '../testing/throttled-proxy.ts'
import { waitFor } from '../testing/wait.ts'
import type { StorageCaller } from './retries.ts'
import { createStorage, type Storage } from './storage.ts'

/** More bytes than the kernel buffers. */
const BYTES = 32 * 1024 * 1024
const content = Buffer.alloc(BYTES, 'content')
const SETTINGS = {
  ...{ S3_BUCKET: 'media-files', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
  STORAGE_OUTAGE_SECONDS_MAX: 0,
}
/** For a storage that stops responding. Other tests use the production limit of one minute. */
const SILENCE_MS_MAX = 300
/** Longer than the silence that counts as a hang. */
const HANG_MS = 3000

let server: ObjectServer
let proxy: ThrottledProxy
let patient: Storage
let impatient: Storage
let folder: string

beforeEach(async () => {
  server = await startObjectServer('media-files')
  proxy = await startThrottledProxy(() => server.url)
  folder = await mkdtemp(join(tmpdir(), 'fleet-storage-'))
  const settings = { S3_ENDPOINT: proxy.url, ...SETTINGS }
  patient = createStorage(settings)
  impatient = createStorage(settings, SILENCE_MS_MAX)
})
afterEach(async () => {
  await Promise.all([server.close(), proxy.close()])
  await rm(folder, { recursive: true })
})

/** Downloads or uploads a file and returns the reported bytes. */
async function move(
  storage: Storage,
  way: 'download' | 'upload',
  caller: StorageCaller = {},
): Promise<(readonly [number, number | null])[]> {
  const path = join(folder, 'file')
  const reported: [number, number | null][] = []
  const reportBytes = (done_bytes: number, total_bytes: number | null) => {
    reported.push([done_bytes, total_bytes])
  }
  if (way === 'download') {
    server.objects.set('key', content)
    await storage.download({ key: 'key' }, path, caller, reportBytes)
    expect((await readFile(path)).equals(content)).toBe(true)
  } else {
    await writeFile(path, content)
    await storage.upload('key', { path, content_type: 'video/mp4' }, caller, reportBytes)
    expect(server.objects.get('key')?.equals(content)).toBe(true)
  }
  return reported
}

test.each(['download', 'upload'] as const)('%s: reports every megabyte, up to the last byte', async (way) => {
  proxy.open(Number.POSITIVE_INFINITY)
  const reported = await move(patient, way)
  const steps = reported.map(([done_bytes], index) => done_bytes - (reported[index - 1]?.[0] ?? 0))
  expect(Math.min(...steps)).toBeGreaterThan(0)
  expect(Math.max(...steps)).toBeLessThanOrEqual(1024 * 1024)
  expect(reported.at(-1)).toEqual([BYTES, BYTES])
})

test.each(['download', 'upload'] as const)(
  '%s: fails after three attempts if the storage stops responding',
  async (way) => {
    proxy.open(BYTES / 4)
    await expect(move(impatient, way)).rejects.toThrow('the storage stopped responding')
    expect(proxy.passed_bytes).toBe(BYTES / 4)
    expect(proxy.files_started).toBe(3)
  },
)

test.each(['download', 'upload'] as const)('%s: fails if the storage never responds', async (way) => {
  proxy.shut()
  await expect(move(impatient, way)).rejects.toThrow('the storage stopped responding')
})

test.each(['download', 'upload'] as const)('%s: counts a hang in the middle as an outage', async (way) => {
  const caller = { waits: startWaits() }
  proxy.open(BYTES / 2)
  const moving = move(patient, way, caller)
  await waitFor('the middle of the file', () => proxy.passed_bytes === BYTES / 2)
  await pause(HANG_MS)
  proxy.open(Number.POSITIVE_INFINITY)
  await moving
  expect(caller.waits.outageSeconds()).toBeGreaterThan(HANG_MS / 2000)
})
