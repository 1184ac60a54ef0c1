import { slowVideo } from '../media-backend/testing/clips.ts'
import { startTestContext, type TestContext } from '../media-backend/testing/context.ts'
import { type FleetProcess, spawnFleet } from '../media-backend/testing/fleet-process.ts'
import { waitFor } from '../media-backend/testing/wait.ts'
import type { Dispatch } from '../shared/protocol/dispatch.ts'

export const ENCODES = 20
/** An upload of this size counts as long without probing. */
const LONG_BYTES = 2 * 1024 ** 3
const ENCODE = { service_slug: 'video', operation_key: 'compress', params: { preset: 'slow' } } as const
const ENCODE_IDS = Array.from({ length: ENCODES }, (_, number) => `encode-${number}`)

/** A fleet of one process, which has twenty long encodes to do. */
export interface LaneFleet {
  /** Runs a job and returns the seconds from its submit to its start. */
  measureWait(input: Buffer, spec: Partial<Dispatch>): Promise<number>
  close(): Promise<void>
}

/** Starts a fleet for one round: between the rounds, its encodes would slow down all other measures. */
export async function startLaneFleet(): Promise<LaneFleet> {
  const context = await startTestContext()
  const fleet = await spawnFleet({ ...context.variables, LOCK_SECONDS: '30', LONG_NICENESS: '10' })
  await fillLongLane(context, fleet)
  return {
    measureWait: (input, spec) => measureWait(context, fleet, input, spec),
    async close() {
      await fleet.end('SIGTERM')
      await context.close()
    },
  }
}

/** Queues the encodes and waits for the first to run. */
async function fillLongLane(context: TestContext, fleet: FleetProcess): Promise<void> {
  const clip = await slowVideo()
  const jobs = ENCODE_IDS.map((job_id) =>
    context.dispatch(clip, { ...ENCODE, job_id, input_bytes: LONG_BYTES }),
  )
  const { status } = await context.post(fleet.port, '/jobs', { jobs })
  if (status !== 202) throw new Error(`The intake responded with status ${status}`)
  const isStarted = () => context.edge.received.some(({ report }) => report.type === 'job.started')
  await waitFor('the first encode', isStarted, 60_000)
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
  if (ENCODE_IDS.every((id) => context.edge.finished(id).length > 0))
    throw new Error('All encodes have ended, so nothing is measured behind them.')
  return Math.max(0, Date.parse(started_at) - posted_ms) / 1000
}
