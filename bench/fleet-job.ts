import type { TestContext } from '../media-backend/testing/context.ts'
import type { Dispatch } from '../shared/protocol/dispatch.ts'

export interface FleetJob {
  /** Time from the intake request to the last report. */
  seconds: number
  /** Content of the first output file. */
  content: Buffer
}

/** Runs one job on the fleet of a test context until it finishes, then empties storage. */
export async function runFleetJob(
  context: TestContext,
  port: number,
  input: Buffer,
  jobSpec: Partial<Dispatch>,
): Promise<FleetJob> {
  const dispatch = context.dispatch(input, { job_id: `bench-${crypto.randomUUID()}`, ...jobSpec })
  const finished = Promise.withResolvers<{ key: string; at: number }>()
  context.edge.answer = (report) => {
    if (report.type !== 'job.finished') return { status: 200, continue: true }
    if (report.outcome.status === 'failed') finished.reject(new Error(report.outcome.error))
    else finished.resolve({ key: report.outcome.files[0]?.key ?? '', at: performance.now() })
    return { status: 200, continue: false }
  }
  const start = performance.now()
  const { status } = await context.post(port, '/jobs', { jobs: [dispatch] })
  if (status !== 202) throw new Error(`The intake responded with status ${status}`)
  const { key, at } = await finished.promise
  const content = context.storage.objects.get(key)
  if (content === undefined) throw new Error('The job stored no output')
  context.edge.received.length = 0
  context.storage.objects.clear()
  return { seconds: (at - start) / 1000, content }
}
