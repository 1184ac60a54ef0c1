import type { TestContext } from '../media-backend/testing/context.ts'
import type { Dispatch } from '../shared/protocol/dispatch.ts'

export interface FleetJob {
  /** From the intake's request to the last report. */
  seconds: number
  /** The first result. */
  content: Buffer
}

/** One job through a fleet of this world to its end; storage is left empty. */
export async function runFleetJob(
  context: TestContext,
  port: number,
  input: Buffer,
  order: Partial<Dispatch>,
): Promise<FleetJob> {
  const dispatch = context.dispatch(input, { job_id: `bench-${crypto.randomUUID()}`, ...order })
  const ended = Promise.withResolvers<{ key: string; at: number }>()
  context.edge.answer = (report) => {
    if (report.type !== 'job.finished') return { status: 200, continue: true }
    if (report.outcome.status === 'failed') ended.reject(new Error(report.outcome.error))
    else ended.resolve({ key: report.outcome.files[0]?.key ?? '', at: performance.now() })
    return { status: 200, continue: false }
  }
  const start = performance.now()
  const { status } = await context.post(port, '/jobs', { jobs: [dispatch] })
  if (status !== 202) throw new Error(`the intake answered ${status}`)
  const { key, at } = await ended.promise
  const content = context.storage.objects.get(key)
  if (content === undefined) throw new Error('the job left nothing')
  context.edge.received.length = 0
  context.storage.objects.clear()
  return { seconds: (at - start) / 1000, content }
}
