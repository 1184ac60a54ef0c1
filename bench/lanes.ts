import { setTimeout as pause } from 'node:timers/promises'
import { photo, slowVideo, video } from '../media-backend/testing/clips.ts'
import { startTestContext, type TestContext } from '../media-backend/testing/context.ts'
import { type FleetProcess, spawnFleet } from '../media-backend/testing/fleet-process.ts'
import { waitFor } from '../media-backend/testing/wait.ts'
import type { Dispatch } from '../shared/protocol/dispatch.ts'
import type { Measure } from './measure.ts'

const ENCODES = 20
/** An upload of this size counts as long without probing. */
const LONG_BYTES = 2 * 1024 ** 3
const JOBS_PER_ROUND = 100
const INTERVAL_MS = 100

const THUMBNAIL = { service_slug: 'video', operation_key: 'thumbnail', params: { at: 0 } } as const
const ENCODE = { service_slug: 'video', operation_key: 'compress', params: { preset: 'slow' } } as const

/** Waits of thumbnails and images in a fleet that has twenty encodes to do, each longer than the measurement. */
export const lanesThumbnail = measureWaits('thumbnail', 2, () => video(3), THUMBNAIL)
export const lanesImage = measureWaits('image', 0.5, photo, {})

function measureWaits(
  name: string,
  seconds_max: number,
  makeInput: () => Promise<Buffer>,
  spec: Partial<Dispatch>,
): Measure {
  return {
    name: `lanes-${name}`,
    title: `wait of a ${name} (p99) behind ${ENCODES} long encodes, against ${seconds_max} s`,
    unit: 's',
    goal: 1,
    direction: 'at most',
    needsSystem: false,
    rounds: 3,
    async open() {
      const context = await startTestContext()
      const fleet = await spawnFleet({ ...context.variables, LOCK_SECONDS: '30', LONG_NICENESS: '10' })
      const input = await makeInput()
      await fillLongLane(context, fleet)
      return {
        async round() {
          return { ours: await measureP99(context, fleet, input, spec), reference: seconds_max }
        },
        async close() {
          await fleet.end('SIGTERM')
          await context.close()
        },
      }
    },
  }
}

/** Queues the encodes and waits for the first to run. */
async function fillLongLane(context: TestContext, fleet: FleetProcess): Promise<void> {
  const clip = await slowVideo()
  const jobs = Array.from({ length: ENCODES }, (_, number) =>
    context.dispatch(clip, { ...ENCODE, job_id: `encode-${number}`, input_bytes: LONG_BYTES }),
  )
  const { status } = await context.post(fleet.port, '/jobs', { jobs })
  if (status !== 202) throw new Error(`The intake responded with status ${status}`)
  const isStarted = () => context.edge.received.some(({ report }) => report.type === 'job.started')
  await waitFor('the first encode', isStarted, 60_000)
}

/** Submits jobs at an interval and returns the 99th percentile of the seconds to their pickup. */
async function measureP99(
  context: TestContext,
  fleet: FleetProcess,
  input: Buffer,
  spec: Partial<Dispatch>,
): Promise<number> {
  const waits: Promise<number>[] = []
  for (let number = 0; number < JOBS_PER_ROUND; number += 1) {
    waits.push(measureWait(context, fleet, input, spec))
    await pause(INTERVAL_MS)
  }
  const sorted = (await Promise.all(waits)).sort((one, other) => one - other)
  return sorted[Math.ceil(JOBS_PER_ROUND * 0.99) - 1] ?? Number.POSITIVE_INFINITY
}

async function measureWait(
  context: TestContext,
  fleet: FleetProcess,
  input: Buffer,
  spec: Partial<Dispatch>,
): Promise<number> {
  const dispatch = context.dispatch(input, { ...spec, job_id: `bench-${crypto.randomUUID()}` })
  const posted_ms = Date.now()
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  const { started_at, outcome } = await context.edge.waitForFinished(dispatch.job_id, 120_000)
  if (outcome.status === 'failed') throw new Error(outcome.error)
  return Math.max(0, Date.parse(started_at) - posted_ms) / 1000
}
