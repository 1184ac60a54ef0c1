import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { largeVideo, makeClip, video } from '../testing/clips.ts'
import { startTestContext, type TestContext } from '../testing/context.ts'
import { listJobFolders } from '../testing/job-folders.ts'
import { startThrottledProxy, type ThrottledProxy } from '../testing/throttled-proxy.ts'
import { waitFor } from '../testing/wait.ts'

/** Number of parts in which a file is transferred. */
const PARTS = 8

let context: TestContext
let proxy: ThrottledProxy
let port: number
let input: Buffer

beforeAll(async () => {
  input = await largeVideo()
})
beforeEach(async () => {
  context = await startTestContext()
  proxy = await startThrottledProxy(() => context.storage.url)
  port = (await context.startFleet({ S3_ENDPOINT: proxy.url, ALLOW_PRIVATE_SOURCES: 'true' })).port
})
afterEach(async () => {
  await proxy.close()
  await context.close()
})

/** Starts a copy of the input and returns once the download has started. */
async function startCopy(more: Partial<Dispatch> = {}): Promise<string> {
  const spec = { service_slug: 'video', operation_key: 'mute', filename: 'clip.mp4', params: {} } as const
  const dispatch = context.dispatch(input, { ...spec, ...more })
  await context.post(port, '/jobs', { jobs: [dispatch] })
  await waitFor('the download', () => proxy.files_started === 1)
  return dispatch.job_id
}

const percents = () =>
  context.edge.received.flatMap(({ report }) => (report.type === 'job.progress' ? [report.progress] : []))

/** Passes one part of a file and waits for a progress report about it. */
async function passPart(bytes = input.length / PARTS): Promise<number> {
  const before = percents().at(-1) ?? 0
  proxy.open(bytes)
  await waitFor('a report of it', () => (percents().at(-1) ?? 0) > before)
  return percents().at(-1) ?? 0
}

const jumps = (reported: readonly number[]) =>
  reported.slice(1).map((percent, index) => percent - (reported[index] ?? 0))

test('reports each part of a download and an upload, without jumps', { tags: ['extended'] }, async () => {
  const job_id = await startCopy()
  const downloaded = [0]
  while (downloaded.length < PARTS) downloaded.push(await passPart())
  expect(Math.max(...jumps(downloaded))).toBeLessThan(10)

  proxy.open(input.length / PARTS)
  await waitFor('the upload', () => proxy.files_started === 2)
  const going = [await passPart()]
  // The last part is in kernel buffers while the proxy holds it back.
  while ((going.at(-1) ?? 0) < 99) going.push(await passPart())
  expect(going.length).toBeGreaterThan(PARTS / 2)
  // Skips the first report, because it may still be from the processing steps.
  expect(Math.max(...jumps(going.slice(1)))).toBeLessThan(10)

  expect(context.edge.finished(job_id)).toEqual([])
  proxy.open(Number.POSITIVE_INFINITY)
  expect((await context.edge.waitForFinished(job_id)).outcome.status).toBe('done')
  expect(percents()).toEqual([...new Set(percents())].sort((one, other) => one - other))
  expect(percents().at(-1)).toBe(99)
})

test('reports each part of an asset', { tags: ['extended'] }, async () => {
  const music = await makeClip('music.wav', ['-f', 'lavfi', '-i', 'sine=duration=24', '-ac', '2'])
  context.storage.objects.set('uploads/music', music)
  const url = `${proxy.url}/media-files/uploads/music`
  const clip = await video(2)
  const dispatch = context.dispatch(clip, {
    ...{ service_slug: 'video', operation_key: 'add_audio', filename: 'clip.mp4' },
    ...{ params: { tracks: [{ url }] }, assets: { '0-tracks.0.url': { kind: 'url', url } } },
  })
  await context.post(port, '/jobs', { jobs: [dispatch] })
  proxy.open(clip.length)
  await waitFor('the music', () => proxy.files_started === 2)
  const downloaded = [0]
  while (downloaded.length < 4) downloaded.push(await passPart(music.length / 4))
  expect(Math.max(...jumps(downloaded))).toBeLessThan(5)
  proxy.open(Number.POSITIVE_INFINITY)
  expect((await context.edge.waitForFinished(dispatch.job_id)).outcome.status).toBe('done')
})

/** Cancels a job. Expects its folder to be removed within two seconds, and expects no final report. */
async function cancel(job_id: string): Promise<void> {
  const ended = async () => (await listJobFolders(context.work_directory)).length === 0
  await context.post(port, '/cancel', { job_id })
  await waitFor('the work to end', ended, 2000)
  expect(context.edge.finished(job_id)).toEqual([])
  expect([...context.storage.objects.keys()]).toEqual([`uploads/${job_id}`])
}

const ENDS = ['responds', 'stops responding'] as const

test.each(ENDS)('a cancel ends a download from a storage that %s', async (storage) => {
  const job_id = await startCopy()
  proxy.open(input.length / 2)
  await waitFor('half of the file', () => proxy.passed_bytes >= input.length / 2)
  if (storage === 'stops responding') proxy.shut()
  await cancel(job_id)
})

test('a cancel ends an import', async () => {
  const url = `${proxy.url}/media-files/uploads/import`
  const job_id = await startCopy({ job_id: 'import', source: { kind: 'url', url } })
  proxy.open(input.length / 2)
  await waitFor('half of the file', () => proxy.passed_bytes >= input.length / 2)
  await cancel(job_id)
})

test.each(ENDS)('a cancel ends an upload to a storage that %s', async (storage) => {
  const job_id = await startCopy()
  proxy.open(1.5 * input.length)
  await waitFor('half of the result', () => proxy.passed_bytes >= 1.5 * input.length)
  if (storage === 'stops responding') proxy.shut()
  await cancel(job_id)
})
