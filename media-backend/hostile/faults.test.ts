import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prefixOf } from '../queue/queues.ts'
import { photo, video } from '../testing/clips.ts'
import { startTestContext, type TestContext } from '../testing/context.ts'
import { type FleetProcess, spawnFleet } from '../testing/fleet-process.ts'
import { countProcesses } from '../testing/processes.ts'
import { waitFor } from '../testing/wait.ts'

let context: TestContext
let processes: FleetProcess[]

beforeEach(async () => {
  context = await startTestContext()
  processes = []
})
afterEach(async () => {
  await Promise.all(processes.map((fleet) => fleet.end('SIGTERM')))
  await context.close()
})

async function spawnOne(more: Record<string, string> = {}): Promise<FleetProcess> {
  const fleet = await spawnFleet({ ...context.variables, ...more })
  processes.push(fleet)
  return fleet
}

const encode = { service_slug: 'video', operation_key: 'compress', params: { preset: 'medium' } } as const

const startsOf = (job_id: string) =>
  context.edge.received.filter(({ report }) => report.type === 'job.started' && report.job_id === job_id)

async function waitForEncode(job_id: string): Promise<void> {
  await waitFor('the start', () => startsOf(job_id).length > 0)
  const folder = `${context.work_directory}/${job_id}-`
  await waitFor('ffmpeg to run', async () => (await countProcesses('ffmpeg', folder)) > 0)
}

/** Like the edge, accepts the first final report and rejects later ones as superseded. */
function acceptOnlyFirstEnd(): void {
  const ended = new Map<string, number>()
  context.edge.answer = ({ type, job_id, fence }) => {
    const first = ended.get(job_id)
    if (type === 'job.finished' && first === undefined) ended.set(job_id, fence)
    return first === undefined || first === fence
      ? { status: 200, continue: true }
      : { status: 409, continue: false }
  }
}

test('finishes an encode in another process after kill -9, with a higher fence', async () => {
  acceptOnlyFirstEnd()
  const first = await spawnOne()
  const dispatch = context.dispatch(await video(15, '640x360'), encode)
  await context.post(first.port, '/jobs', { jobs: [dispatch] })
  await waitForEncode(dispatch.job_id)
  await first.end('SIGKILL')
  await waitFor(
    'its ffmpeg to exit with it',
    async () => (await countProcesses('', `${context.work_directory}/${dispatch.job_id}-`)) === 0,
    2000,
  )
  await spawnOne()
  const { fence, outcome } = await context.edge.waitForFinished(dispatch.job_id, 40_000)
  expect(fence).toBe(1002)
  expect(outcome.status).toBe('done')
  expect(context.edge.finished(dispatch.job_id)).toHaveLength(1)
  await context.waitForEmptyFolder()
})

test('returns the running job to the queue on SIGTERM and exits with code 0', async () => {
  const long_lock = { LOCK_SECONDS: '60' }
  const first = await spawnOne(long_lock)
  const dispatch = context.dispatch(await video(15, '640x360'), encode)
  await context.post(first.port, '/jobs', { jobs: [dispatch] })
  await waitForEncode(dispatch.job_id)
  expect(await first.end('SIGTERM')).toBe(0)
  await context.waitForEmptyFolder()
  await spawnOne(long_lock)
  await waitFor('the second start', () => startsOf(dispatch.job_id).length === 2)
  expect(startsOf(dispatch.job_id).map(({ report }) => report.fence)).toEqual([1001, 1002])
})

test('finishes a job once although Redis restarts while it runs', { tags: ['extended'] }, async () => {
  acceptOnlyFirstEnd()
  const fleet = await context.startFleet()
  const dispatch = context.dispatch(await video(15, '640x360'), encode)
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  await waitForEncode(dispatch.job_id)
  await context.redis.stop()
  expect(await context.ready(fleet.port)).toEqual({ cache: 'down' })
  const other = context.dispatch(await photo(), {})
  const posted_at = Date.now()
  expect(await context.post(fleet.port, '/jobs', { jobs: [other] })).toMatchObject({ status: 503 })
  expect(Date.now() - posted_at).toBeLessThan(1000)
  await context.redis.start()
  await waitFor(
    'the fleet to reconnect to Redis',
    async () => (await context.post(fleet.port, '/jobs', { jobs: [other] })).status === 202,
  )
  expect((await context.edge.waitForFinished(dispatch.job_id)).outcome.status).toBe('done')
  expect((await context.edge.waitForFinished(other.job_id)).outcome.status).toBe('done')
  expect(await context.ready(fleet.port)).toMatchObject({ cache: 'ok' })
})

test('starts without Redis, reports that it is down, and works once Redis is available', {
  tags: ['extended'],
}, async () => {
  await context.redis.stop()
  const fleet = await context.startFleet()
  expect(await context.ready(fleet.port)).toEqual({ cache: 'down' })
  await context.redis.start()
  const dispatch = context.dispatch(await photo(), {})
  await waitFor(
    'the fleet to reconnect to Redis',
    async () => (await context.post(fleet.port, '/jobs', { jobs: [dispatch] })).status === 202,
  )
  expect((await context.edge.waitForFinished(dispatch.job_id)).outcome.status).toBe('done')
})

test('keeps the final report while the edge is unavailable and retries until it is accepted', async () => {
  const fleet = await context.startFleet()
  let attempts = 0
  context.edge.answer = ({ type }) => {
    if (type !== 'job.finished') return { status: 200, continue: true }
    attempts += 1
    if (attempts <= 2) return 'cut'
    return attempts === 3 ? { status: 401, continue: false } : { status: 200, continue: true }
  }
  const dispatch = context.dispatch(await photo(), {})
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  await waitFor('the fourth report', () => attempts === 4)
  const received = context.edge.received.filter(
    ({ report }) => report.type === 'job.finished' && report.job_id === dispatch.job_id,
  )
  expect(new Set(received.map(({ id }) => id))).toEqual(new Set([`${dispatch.job_id}.1001.job.finished`]))
  expect(new Set(received.map(({ report }) => JSON.stringify(report))).size).toBe(1)
  await context.run(fleet.port, context.dispatch(await photo(), {}))
  expect(context.edge.finished(dispatch.job_id)).toHaveLength(4)
})

test('drops the final report of a superseded attempt and removes its objects', async () => {
  const fleet = await context.startFleet()
  context.edge.answer = ({ type }) =>
    type === 'job.finished' ? { status: 409, continue: false } : { status: 200, continue: true }
  const dispatch = context.dispatch(await photo(), {})
  const { outcome } = await context.run(fleet.port, dispatch)
  const [file] = outcome.status === 'done' ? outcome.files : []
  await waitFor('the object to be deleted', () => !context.storage.objects.has(file?.key ?? ''))
  expect([...context.storage.objects.keys()]).toEqual([`uploads/${dispatch.job_id}`])
})

test('retries a job instead of failing it when the storage recovers', { tags: ['extended'] }, async () => {
  const fleet = await context.startFleet({ RETRY_MS: '1000', STORAGE_OUTAGE_SECONDS_MAX: '0' })
  context.storage.failing = 503
  const dispatch = context.dispatch(await photo(), {})
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  await waitFor('the first attempt to fail', () => context.storage.refused >= 3)
  context.storage.failing = null
  const { outcome, fence } = await context.edge.waitForFinished(dispatch.job_id)
  expect([outcome.status, fence]).toEqual(['done', 1002])
})

test.each([
  ['an outage of the storage that is too long', 503, '0'],
  ['a refusal of the storage, for which no attempt waits', 403, '300'],
])(
  'fails with a message without internal details after %s',
  {
    tags: ['extended'],
  },
  async (_what, status, STORAGE_OUTAGE_SECONDS_MAX) => {
    const fleet = await context.startFleet({ STORAGE_OUTAGE_SECONDS_MAX })
    context.storage.failing = status
    const { outcome, fence } = await context.run(fleet.port, context.dispatch(await photo(), {}))
    expect(fence).toBe(1003)
    expect(outcome).toMatchObject({ status: 'failed', error_code: 'processing_failed' })
    expect(outcome.processing_seconds).toBeGreaterThan(0)
    expect(JSON.stringify(outcome)).not.toMatch(/503|403|storage|127\.0\.0\.1/)
    await context.waitForEmptyFolder()
  },
)

test('ends the turn of an account when the last attempt at its job ends with an internal error', async () => {
  const fleet = await context.startFleet({ STORAGE_OUTAGE_SECONDS_MAX: '0', ATTEMPTS_MAX: '2' })
  context.storage.failing = 503
  const redis = new Redis(context.redis.url, { maxRetriesPerRequest: null })
  const countTurns = async () =>
    (await redis.hkeys(`${prefixOf('image')}:image:turns`)).filter((field) => field.endsWith(':busy')).length
  const { outcome, fence } = await context.run(
    fleet.port,
    context.dispatch(await photo(), { account_key: 'busy' }),
  )
  expect([outcome.status, fence]).toEqual(['failed', 1002])
  await waitFor('the end of the turn', async () => (await countTurns()) === 0)
  redis.disconnect()
})

test('fails a dispatch of another program version after its last attempt, with the time of all attempts', async () => {
  await context.startFleet()
  const redis = new Redis(context.redis.url, { maxRetriesPerRequest: null })
  const queue = new Queue('image', { connection: redis, prefix: prefixOf('image') })
  const job_id = 'of-another-version'
  const spent_seconds = 100
  const data = { job_id, dispatch: 2, spec: {}, spent_seconds }
  await queue.add('resize', data, { jobId: job_id, attempts: 2 })
  const { outcome, fence } = await context.edge.waitForFinished(job_id)
  expect(outcome).toMatchObject({ status: 'failed', error_code: 'processing_failed' })
  expect(fence).toBe(2002)
  const stored = (await queue.getJob(job_id))?.data.spent_seconds
  expect(stored).toBeGreaterThan(spent_seconds)
  expect(outcome.processing_seconds).toBeGreaterThanOrEqual(stored)
  await queue.close()
  redis.disconnect()
})

test('runs the jobs that an earlier version has queued', async () => {
  const redis = new Redis(context.redis.url, { maxRetriesPerRequest: null })
  const queue = new Queue('image', { connection: redis })
  const dispatch = context.dispatch(await photo(), {})
  await queue.add('resize', dispatch, { jobId: dispatch.job_id, priority: dispatch.priority, attempts: 2 })
  const fleet = await context.startFleet()
  const repeated = await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  expect(repeated.status).toBe(202)
  const { outcome } = await context.edge.waitForFinished(dispatch.job_id)
  expect(outcome.status).toBe('done')
  expect(context.edge.finished(dispatch.job_id)).toHaveLength(1)
  await queue.close()
  redis.disconnect()
})

test('accepts jobs in a process that runs none, for processes that serve the lanes', async () => {
  const none = {
    IMAGE_CONCURRENCY: '0',
    QUICK_CONCURRENCY: '0',
    LONG_CONCURRENCY: '0',
    LINK_CONCURRENCY: '0',
  }
  const intake = await context.startFleet(none)
  const dispatch = context.dispatch(await photo(), {})
  expect(await context.post(intake.port, '/jobs', { jobs: [dispatch] })).toMatchObject({ status: 202 })
  await context.startFleet({ ...none, IMAGE_CONCURRENCY: '1' })
  expect((await context.edge.waitForFinished(dispatch.job_id)).outcome.status).toBe('done')
})

test('fails a job that stalled too often instead of retrying it', async () => {
  const fleet = await context.startFleet()
  const dispatch = context.dispatch(await photo(), { hold_ms: 500 })
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  const redis = new Redis(context.redis.url)
  await redis.hset(`${prefixOf('image')}:image:${dispatch.job_id}`, 'stc', 4)
  redis.disconnect()
  const { outcome } = await context.edge.waitForFinished(dispatch.job_id)
  expect(outcome).toMatchObject({
    status: 'failed',
    error_code: 'processing_failed',
    processing_seconds: null,
  })
})
