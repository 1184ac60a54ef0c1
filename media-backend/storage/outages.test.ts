import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Fleet } from '../fleet.ts'
import { jobRegistry } from '../metrics/job-metrics.ts'
import { largeVideo, photo, video } from '../testing/clips.ts'
import { startTestContext, type TestContext } from '../testing/context.ts'
import { listJobFolders } from '../testing/job-folders.ts'
import { startThrottledProxy, type ThrottledProxy } from '../testing/throttled-proxy.ts'
import { waitFor } from '../testing/wait.ts'

/** Longer than the silence that counts as a hang. */
const HANG_MS = 3000

let context: TestContext
let proxy: ThrottledProxy
let fleet: Fleet

beforeEach(async () => {
  context = await startTestContext()
  proxy = await startThrottledProxy(() => context.storage.url)
  fleet = await context.startFleet({ S3_ENDPOINT: proxy.url })
})
afterEach(async () => {
  await proxy.close()
  await context.close()
})

/** Waits for further retries. The pause after the nth retry in a row takes at least 0.1 s * 2 ** (n - 1). */
async function waitForRetries(retries = 4): Promise<void> {
  const count = async () => {
    const metric = await jobRegistry.getSingleMetric('fleet_storage_retries_total')?.get()
    return metric?.values[0]?.value ?? 0
  }
  const before = await count()
  await waitFor('retries', async () => (await count()) >= before + retries)
}

async function submit(input: Buffer, spec: Partial<Dispatch>): Promise<string> {
  const dispatch = context.dispatch(input, spec)
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  return dispatch.job_id
}

/** Expects the first attempt to succeed, and returns its processing time. */
async function expectFirstDone(job_id: string): Promise<number> {
  const { outcome, fence } = await context.edge.waitForFinished(job_id)
  if (outcome.status !== 'done') throw new Error(outcome.error)
  expect(fence).toBe(1001)
  const [file] = outcome.files
  expect(context.storage.objects.get(file?.key ?? '')).toHaveLength(file?.size_bytes ?? 0)
  expect(outcome.processing_seconds).toBeGreaterThan(0)
  return outcome.processing_seconds
}

test('encodes once although the storage refuses connections during the upload', async () => {
  const input = await video(2, '320x180')
  const spec = { service_slug: 'video', operation_key: 'compress', params: { preset: 'faster' } } as const
  const job_id = await submit(input, { ...spec, filename: 'clip.mp4' })
  const before_outage = input.length + 1000
  proxy.open(before_outage)
  await waitFor('the start of the upload', () => proxy.passed_bytes === before_outage)
  await proxy.stop()
  await waitForRetries()
  proxy.open(Number.POSITIVE_INFINITY)
  await proxy.start()
  await expectFirstDone(job_id)
})

test('does not charge the wait for a storage that refuses connections', async () => {
  proxy.open(Number.POSITIVE_INFINITY)
  await proxy.stop()
  const begun_ms = performance.now()
  const job_id = await submit(await photo(), {})
  await waitForRetries()
  await proxy.start()
  expect(await expectFirstDone(job_id)).toBeLessThan((performance.now() - begun_ms) / 2000)
})

test('does not charge a hang in the middle of a download that continues before the request fails', async () => {
  const input = await photo()
  const before_hang = Math.floor(input.length / 2)
  proxy.open(before_hang)
  const job_id = await submit(input, {})
  await waitFor('the middle of the download', () => proxy.passed_bytes === before_hang)
  const begun_ms = performance.now()
  await pause(HANG_MS)
  proxy.open(Number.POSITIVE_INFINITY)
  const processing_seconds = await expectFirstDone(job_id)
  expect(processing_seconds).toBeLessThan((performance.now() - begun_ms) / 1000 - HANG_MS / 2000)
})

test('does not charge an outage while ffmpeg reads parts of a video', { tags: ['extended'] }, async () => {
  const { storage } = context
  const get = storage.objects.get.bind(storage.objects)
  let reads = 0
  storage.objects.get = (key) => {
    reads += 1
    // The first requests ask for the size and the header of the video.
    if (reads === 3) storage.failing = 503
    return get(key)
  }
  const begun_ms = performance.now()
  const input = await largeVideo()
  const spec = { service_slug: 'video', operation_key: 'thumbnail', params: { at: 5 } } as const
  const job_id = await submit(input, { ...spec, filename: 'clip.mp4' })
  proxy.open(Number.POSITIVE_INFINITY)
  await waitForRetries()
  storage.failing = null
  expect(await expectFirstDone(job_id)).toBeLessThan((performance.now() - begun_ms) / 2000)
})

test.each(['a cancel', 'a shutdown'])('%s ends the wait for the storage at once', async (end) => {
  await proxy.stop()
  const job_id = await submit(await photo(), {})
  await waitForRetries(5)
  const ending = end === 'a cancel' ? context.post(fleet.port, '/cancel', { job_id }) : fleet.close()
  const hasEnded = async () => (await listJobFolders(context.work_directory)).length === 0
  await waitFor('the work to end', hasEnded, 1500)
  await ending
  expect(context.edge.finished(job_id)).toEqual([])
})
