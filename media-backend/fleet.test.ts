import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fleet } from './fleet.ts'
import { photo, slowVideo, video } from './testing/clips.ts'
import { startTestContext, type TestContext } from './testing/context.ts'
import { describeImage } from './testing/describe-image.ts'
import { countProcesses } from './testing/processes.ts'
import { freePort, waitFor } from './testing/wait.ts'

let context: TestContext
let fleet: Fleet

beforeAll(async () => {
  context = await startTestContext()
  fleet = await context.startFleet()
})
afterAll(() => context.close())

const encode = { service_slug: 'video', operation_key: 'compress', filename: 'clip.mov' } as const
const slowly = { ...encode, params: { preset: 'slow' } }

test('runs an image job end to end: stores and measures the result, and reports once', async () => {
  const dispatch = context.dispatch(await photo(), { params: { width: 200, height: 200 } })
  const { outcome, fence } = await context.run(fleet.port, dispatch)
  expect(fence).toBe(1001)
  expect(outcome).toMatchObject({
    status: 'done',
    body: { width: 200, height: 150, format: 'jpeg' },
    input: { duration_seconds: null, megapixels: expect.any(Number) },
  })
  if (outcome.status !== 'done') throw new Error('not done')
  const [file] = outcome.files
  const key = `results/${dispatch.result_id}/1001/My holiday-resize.jpg`
  const stored = context.storage.objects.get(key) ?? Buffer.alloc(0)
  expect(file).toEqual({
    key,
    filename: 'My holiday-resize.jpg',
    content_type: 'image/jpeg',
    size_bytes: stored.length,
    sha256: createHash('sha256').update(stored).digest('hex'),
  })
  expect(context.storage.headers.get(key)).toMatchObject({ 'content-type': 'image/jpeg' })
  expect(await describeImage(stored)).toMatchObject({ format: 'jpeg', width: 200, height: 150 })
  expect(outcome.processing_seconds).toBeLessThan(5)
  await context.waitForEmptyFolder()
})

test('runs a video job end to end and reports its start and progress', async () => {
  const dispatch = context.dispatch(await video(25, '640x360'), { ...encode, params: { preset: 'medium' } })
  const { outcome } = await context.run(fleet.port, dispatch)
  expect(outcome).toMatchObject({
    status: 'done',
    body: { encode_mode: 'encode', width: 640, height: 360, format: 'mp4' },
    files: [{ filename: 'clip-compress.mp4', content_type: 'video/mp4' }],
    input: { duration_seconds: 25, megapixels: null },
  })
  const received = context.edge.received.filter(({ report }) => report.job_id === dispatch.job_id)
  const types = received.map(({ report }) => report.type)
  expect(types[0]).toBe('job.started')
  expect(types).toContain('job.progress')
  expect(types.at(-1)).toBe('job.finished')
  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length)
  await context.waitForEmptyFolder()
})

test('ignores a repeated dispatch while the job runs and after it has ended', async () => {
  const dispatch = context.dispatch(await photo(), {})
  const posts = [dispatch, dispatch, dispatch].map((job) =>
    context.post(fleet.port, '/jobs', { jobs: [job, job] }),
  )
  for (const { status, body } of await Promise.all(posts)) {
    expect(status).toBe(202)
    expect(body).toEqual({ accepted: 2 })
  }
  await context.edge.waitForFinished(dispatch.job_id)
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  const after = context.dispatch(await photo(), {})
  await context.run(fleet.port, after)
  expect(context.edge.finished(dispatch.job_id)).toHaveLength(1)
})

test('restarts a finished job on a later dispatch, with a higher fence', async () => {
  const dispatch = context.dispatch(await photo(), {})
  await context.run(fleet.port, dispatch)
  await waitFor('the queue to release the job', async () => {
    await context.post(fleet.port, '/jobs', { jobs: [{ ...dispatch, dispatch: 2 }] })
    return context.edge.finished(dispatch.job_id).length === 2
  })
  expect(context.edge.finished(dispatch.job_id).map(({ fence }) => fence)).toEqual([1001, 2001])
})

test('refuses requests without a valid signature, except for health', async () => {
  const dispatch = context.dispatch(await photo(), {})
  const other_keys = [Buffer.from('another-key-that-nobody-knows-here').toString('base64')]
  expect(await context.post(fleet.port, '/jobs', { jobs: [dispatch] }, other_keys)).toMatchObject({
    status: 401,
  })
  const url = `http://127.0.0.1:${fleet.port}`
  expect((await fetch(`${url}/ready`)).status).toBe(401)
  expect((await fetch(`${url}/cancel`, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(await context.ready(fleet.port)).toMatchObject({ cache: 'ok' })
})

test('refuses signed but invalid requests with 422', async () => {
  const dispatch = context.dispatch(await photo(), {})
  for (const job_id of ['../etc', 'a:b', '12345', '']) {
    expect(await context.post(fleet.port, '/jobs', { jobs: [{ ...dispatch, job_id }] })).toMatchObject({
      status: 422,
    })
  }
  expect(await context.post(fleet.port, '/jobs', { jobs: [] })).toMatchObject({ status: 422 })
  expect(await context.post(fleet.port, '/cancel', {})).toMatchObject({ status: 422 })
  expect(await context.post(fleet.port, '/nothing', {})).toMatchObject({ status: 404 })
})

test('accepts a dispatch next to one of a newer edge that it cannot read', async () => {
  const dispatch = context.dispatch(await photo(), {})
  const newer = { ...dispatch, job_id: 'newer', service_slug: 'audio' }
  expect(await context.post(fleet.port, '/jobs', { jobs: [newer, dispatch] })).toMatchObject({
    status: 422,
    body: { refused: [0] },
  })
  await context.edge.waitForFinished(dispatch.job_id)
})

test('ends the running ffmpeg within two seconds of a cancel and leaves no files', async () => {
  const dispatch = context.dispatch(await slowVideo(), slowly)
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  const folder = `${context.work_directory}/${dispatch.job_id}-`
  await waitFor('ffmpeg to run', async () => (await countProcesses('ffmpeg', folder)) > 0)
  await context.post(fleet.port, '/cancel', { job_id: dispatch.job_id })
  await waitFor('ffmpeg to end', async () => (await countProcesses('', folder)) === 0, 2000)
  await context.waitForEmptyFolder()
  expect(context.edge.finished(dispatch.job_id)).toEqual([])
})

test('removes a waiting job on cancel and holds a delayed one', async () => {
  const [held, dropped] = [
    context.dispatch(await photo(), { hold_ms: 700 }),
    context.dispatch(await photo(), { hold_ms: 400 }),
  ]
  const sent_at = Date.now()
  await context.post(fleet.port, '/jobs', { jobs: [held, dropped] })
  const cancel = await context.post(fleet.port, '/cancel', { job_id: dropped.job_id })
  expect(cancel).toEqual({ status: 202, body: { removed: true } })
  const { started_at } = await context.edge.waitForFinished(held.job_id)
  expect(Date.parse(started_at) - sent_at).toBeGreaterThanOrEqual(690)
  expect(context.edge.finished(dropped.job_id)).toEqual([])
})

test('hands a long encode over to the long lane, with a fence above all earlier attempts', async () => {
  const dispatch = context.dispatch(await slowVideo(), slowly)
  const starts = () =>
    context.edge.received.filter(
      ({ report }) => report.job_id === dispatch.job_id && report.type === 'job.started',
    )
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  await waitFor('the start in the long lane', () => starts().at(-1)?.report.fence === 1501, 45_000)
  await context.post(fleet.port, '/cancel', { job_id: dispatch.job_id })
  await context.waitForEmptyFolder()
  expect(context.edge.finished(dispatch.job_id)).toEqual([])
})

test('stops work that the edge no longer wants, according to its response to a report', async () => {
  const dispatch = context.dispatch(await slowVideo(), slowly)
  context.edge.answer = ({ job_id }) => ({ status: 200, continue: job_id !== dispatch.job_id })
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  const received = () => context.edge.received.filter(({ report }) => report.job_id === dispatch.job_id)
  await waitFor('a report of the start', () => received().length > 0)
  await context.waitForEmptyFolder()
  expect(received().map(({ report }) => report.type)).toEqual(['job.started'])
})

test('answers an oversized request with 413', async () => {
  expect(await context.post(fleet.port, '/jobs', 'x'.repeat(16 * 1024 * 1024))).toMatchObject({ status: 413 })
})

test('runs images and thumbnails while a long encode is running', async () => {
  const long = context.dispatch(await slowVideo(), slowly)
  const thumbnail = { service_slug: 'video', operation_key: 'thumbnail', params: { at: 0 } } as const
  const quick = [context.dispatch(await photo(), {}), context.dispatch(await video(1), thumbnail)]
  await context.post(fleet.port, '/jobs', { jobs: [long] })
  await waitFor(
    'the encode',
    async () => (await countProcesses('ffmpeg', `${context.work_directory}/${long.job_id}-`)) > 0,
    30_000,
  )
  for (const dispatch of quick) expect((await context.run(fleet.port, dispatch)).outcome.status).toBe('done')
  expect(context.edge.finished(long.job_id)).toEqual([])
  await context.post(fleet.port, '/cancel', { job_id: long.job_id })
  await context.waitForEmptyFolder()
})

test('serves metrics of lanes and jobs on a port of their own, without names of customers or jobs', async () => {
  const port = await freePort()
  const measured = await context.startFleet({ METRICS_PORT: String(port), LONG_CONCURRENCY: '0' })
  const dispatch = context.dispatch(await photo(), { account_key: 'account-77' })
  await context.run(measured.port, dispatch)
  const held = context.dispatch(await video(1), { ...encode, params: {}, hold_ms: 60_000 })
  await context.post(measured.port, '/jobs', { jobs: [held] })
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  await context.post(measured.port, '/cancel', { job_id: held.job_id })
  expect(text).toContain('fleet_lane_jobs{lane="quick",state="held"} 1')
  expect(text).toContain('fleet_lane_age_seconds{lane="long"} 0')
  expect(text).toMatch(
    /fleet_jobs_finished_total\{operation="image\/resize",lane="image",result="done"\} \d+/,
  )
  expect(text).toMatch(/fleet_report_lag_seconds \d/)
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toMatch(/account-77|job-\d|holiday/)
  expect((await fetch(`http://127.0.0.1:${measured.port}/metrics`)).status).toBe(401)
})

test('refuses an input over the length limit, naming length, limit and tier', async () => {
  const dispatch = context.dispatch(await video(20), {
    ...encode,
    params: {},
    max_input_seconds: 10,
    tier: 'anonymous',
  })
  expect((await context.run(fleet.port, dispatch)).outcome).toMatchObject({
    status: 'failed',
    error_code: 'input_too_long',
    error: 'The video is 20 s long; the anonymous tier allows up to 10 s. Use a shorter video.',
  })
})
