import type { Job, Queue } from 'bullmq'
import { SegmentOutcome } from '../job/segment-task.ts'
import type { QueuedJob } from './queues.ts'

/** More children than a job ever has. */
const CHILDREN_MAX = 1000

/** Lists the ids of the segments of a job that wait or run, and of those that have ended. */
export async function listChildren(
  job: Job<unknown>,
  queue: Queue<QueuedJob>,
): Promise<{ open: string[]; ended: string[] }> {
  const count = { count: CHILDREN_MAX }
  const { unprocessed = [], processed = {} } = await job.getDependencies({
    unprocessed: count,
    processed: count,
  })
  const idOf = (key: string) => idFrom(queue, key)
  return { open: unprocessed.map(idOf), ended: Object.keys(processed).map(idOf) }
}

/** Returns the outcomes of the segments of a job that have ended, by their ids. */
export async function readOutcomes(
  job: Job<unknown>,
  queue: Queue<QueuedJob>,
): Promise<Map<string, SegmentOutcome>> {
  const values = Object.entries((await job.getChildrenValues()) ?? {})
  return new Map(values.map(([key, value]) => [idFrom(queue, key), readOutcome(value)]))
}

function readOutcome(value: unknown): SegmentOutcome {
  const time = { started_ms: 0, ended_ms: 0, cores: '' }
  const { data = { status: 'failed', error: 'the outcome is unreadable', ...time } } =
    SegmentOutcome.safeParse(value)
  return data
}

function idFrom(queue: Queue<QueuedJob>, key: string): string {
  return key.slice(queue.toKey('').length)
}
