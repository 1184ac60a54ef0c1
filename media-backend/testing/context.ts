import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { signRequest } from '../../shared/protocol/signature.ts'
import { parseEnvironment } from '../environment.ts'
import { type Fleet, startFleet } from '../fleet.ts'
import { checkBody } from './check-body.ts'
import { type EdgeServer, startEdgeServer } from './edge-server.ts'
import { listJobFolders } from './job-folders.ts'
import { type ObjectServer, startObjectServer } from './object-server.ts'
import { startRedis, type TestRedis } from './redis.ts'
import { waitFor } from './wait.ts'

const KEYS = [Buffer.from('the-first-key-of-the-fleet-tests').toString('base64')]

/** The dependencies of a fleet: Redis, object storage, a recording edge and a work directory. */
export interface TestContext {
  redis: TestRedis
  storage: ObjectServer
  edge: EdgeServer
  work_directory: string
  /** Environment variables for a fleet in this context. */
  variables: Record<string, string>
  startFleet(more?: Record<string, string>): Promise<Fleet>
  /** Sends a signed POST to a fleet and returns the status and body. */
  post(port: number, path: string, body: unknown, keys?: string[]): Promise<{ status: number; body: unknown }>
  ready(port: number): Promise<unknown>
  /** Stores an input and returns a dispatch for it. */
  dispatch(input: Buffer, spec: Partial<Dispatch>): Dispatch
  /** Runs one job from intake to completion. */
  run(port: number, dispatch: Dispatch): ReturnType<EdgeServer['waitForFinished']>
  waitForEmptyFolder(): Promise<void>
  close(): Promise<void>
}

export async function startTestContext(): Promise<TestContext> {
  const [redis, storage, edge, work_directory] = await Promise.all([
    startRedis(),
    startObjectServer('media-files'),
    startEdgeServer(KEYS),
    mkdtemp(join(tmpdir(), 'fleet-work-')),
  ])
  const fleets: Fleet[] = []
  let jobs = 0
  const context: TestContext = {
    redis,
    storage,
    edge,
    work_directory,
    variables: {
      PORT: '0',
      REDIS_URL: redis.url,
      EDGE_URL: edge.url,
      FLEET_KEYS: KEYS.join(','),
      S3_ENDPOINT: storage.url,
      S3_BUCKET: 'media-files',
      S3_ACCESS_KEY_ID: 'test',
      S3_SECRET_ACCESS_KEY: 'test',
      WORK_DIRECTORY: work_directory,
      LOCK_SECONDS: '2',
      RETRY_MS: '100',
      // On a busy machine, long work would hardly run beside the tests.
      LONG_NICENESS: '0',
    },
    async startFleet(more = {}) {
      const fleet = await startFleet(parseEnvironment({ ...context.variables, ...more }))
      fleets.push(fleet)
      return fleet
    },
    async post(port, path, content, keys = KEYS) {
      const body = JSON.stringify(content)
      const headers = signToFleet(keys, 'POST', path, body)
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
      return { status: response.status, body: await response.json() }
    },
    async ready(port) {
      const headers = signToFleet(KEYS, 'GET', '/ready', '')
      return (await fetch(`http://127.0.0.1:${port}/ready`, { headers })).json()
    },
    dispatch(input, spec) {
      jobs += 1
      const job_id = spec.job_id ?? `job-${jobs}`
      const key = `uploads/${job_id}`
      storage.objects.set(key, input)
      return {
        job_id,
        result_id: `result-of-${job_id}`,
        dispatch: 1,
        service_slug: 'image',
        operation_key: 'resize',
        params: { width: 64 },
        source: { kind: 'object', key },
        pipeline: [],
        assets: {},
        filename: 'My holiday.jpg',
        max_input_seconds: 600,
        tier: 'free',
        priority: 10,
        hold_ms: 0,
        ...spec,
      }
    },
    async run(port, dispatch) {
      const { status } = await context.post(port, '/jobs', { jobs: [dispatch] })
      if (status !== 202) throw new Error(`the intake responded with ${status}`)
      const finished = await edge.waitForFinished(dispatch.job_id)
      if (finished.outcome.status === 'done') checkBody(dispatch, finished.outcome.body)
      return finished
    },
    waitForEmptyFolder: () =>
      waitFor('an empty work directory', async () => (await listJobFolders(work_directory)).length === 0),
    async close() {
      await Promise.all(fleets.map((fleet) => fleet.close()))
      await Promise.all([redis.remove(), storage.close(), edge.close()])
      await rm(work_directory, { recursive: true, force: true })
    },
  }
  return context
}

function signToFleet(keys: readonly string[], method: string, path: string, body: string) {
  const id = `test-${crypto.randomUUID()}`
  return { ...signRequest(keys, { to: 'fleet', method, path }, { id, body }) }
}
