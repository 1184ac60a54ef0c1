import type { Job, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Environment } from '../environment.ts'
import {
  type EncodeTime,
  type SegmentOutcome,
  type SegmentQueue,
  type SegmentTask,
  segmentKey,
  segmentName,
} from '../job/segment-task.ts'
import { removeAll } from '../job/upload.ts'
import type { Storage } from '../storage/storage.ts'
import { listChildren, readOutcomes } from './children.ts'
import { CANCEL_CHANNEL, jobOptions, QueuedJob } from './queues.ts'
import { readAllSeconds } from './segment-seconds.ts'

export interface SegmentParts {
  /** The long lane. */
  queue: Queue<QueuedJob>
  redis: Redis
  storage: Storage
  environment: Pick<Environment, 'ATTEMPTS_MAX' | 'RETRY_MS'>
}

/**
 * Opens the segments of a running job. Each is a child of the job in its lane (a flow of BullMQ) and has its priority,
 * so they all belong to one turn of the account. The job does not wait as BullMQ's parents do: it keeps its place,
 * encodes segments itself, and keeps reporting to the edge.
 */
export function openSegments(job: Job<unknown>, dispatch: QueuedJob, parts: SegmentParts): SegmentQueue {
  const { queue, redis, environment } = parts
  const idOf = (task: SegmentTask) => `${dispatch.job_id}.${task.plan}.${segmentName(task)}`
  const { segment: _, encoded: recorded = [], ...unshared } = dispatch
  const own = new Map(recorded.map(({ id, ...time }) => [id, time]))
  /** Withdrawn from the queue, so that only this attempt knows them. */
  const claimed = new Set<string>()

  async function readAll(): Promise<Map<string, SegmentOutcome>> {
    const done = [...own].map(([id, time]): [string, SegmentOutcome] => [id, { status: 'done', ...time }])
    return new Map([...(await readOutcomes(job, queue)), ...done])
  }

  return {
    async offer(tasks) {
      const outcomes = await readAll()
      const { spent_seconds: _of_job, ...data } = unshared
      const missing = tasks.filter((task) => !outcomes.has(idOf(task)))
      await queue.addBulk(
        missing.map((task) => ({
          name: dispatch.operation_key,
          data: { ...data, segment: task },
          opts: {
            ...jobOptions({ ...dispatch, hold_ms: 0 }, job.priority, environment),
            jobId: idOf(task),
            parent: { id: dispatch.job_id, queue: queue.qualifiedName },
            ignoreDependencyOnFailure: true,
          },
        })),
      )
    },
    async read(tasks) {
      const all = await readAll()
      const outcomes = new Map<string, SegmentOutcome>()
      for (const task of tasks) {
        const outcome = all.get(idOf(task))
        if (outcome !== undefined) outcomes.set(segmentName(task), outcome)
      }
      const rest = tasks.filter((task) => !all.has(idOf(task)))
      const fractions = await Promise.all(rest.map((task) => redis.hget(queue.toKey(idOf(task)), 'progress')))
      return { outcomes, running: fractions.reduce((sum, text) => sum + (Number(text) || 0), 0) }
    },
    async claim(task) {
      const id = idOf(task)
      const is_claimed = (await queue.remove(id)) === 1 || (await redis.exists(queue.toKey(id))) === 0
      if (is_claimed) claimed.add(id)
      return is_claimed
    },
    async record(task, time: EncodeTime) {
      own.set(idOf(task), time)
      const encoded = [...own].map(([id, each]) => ({ id, ...each }))
      await job.updateData({ ...dispatch, encoded })
    },
    async discard() {
      const spent_seconds = (unshared.spent_seconds ?? 0) + (await readAllSeconds(job, queue))
      await discardSegments(job, parts, [...claimed])
      own.clear()
      await job.updateData({ ...unshared, encoded: [], spent_seconds })
    },
  }
}

/**
 * Removes all children of a job, stops those that run, and deletes what they put into the storage. BullMQ does not
 * complete a job that still has children.
 * @param claimed ids of children that are no longer in the queue.
 */
export async function discardSegments(
  job: Job<unknown>,
  { queue, redis, storage }: Omit<SegmentParts, 'environment'>,
  claimed: readonly string[] = [],
): Promise<void> {
  const { open, ended } = await listChildren(job, queue)
  const children = [...open, ...ended]
  await Promise.all(
    children.map(async (id) => {
      if ((await queue.remove(id)) === 1) return
      const running = await queue.getJob(id)
      await running?.removeChildDependency()
      if (running !== undefined) await redis.publish(CANCEL_CHANNEL, id)
    }),
  )
  const { data: dispatch } = QueuedJob.safeParse(job.data)
  if (dispatch === undefined) return
  const encoded = dispatch.encoded?.map(({ id }) => id) ?? []
  const keys = [...children, ...encoded, ...claimed].flatMap((id) => keyFrom(dispatch, id))
  await removeAll([...new Set(keys)], storage)
}

/** Returns the storage key of a child by its id. */
function keyFrom(dispatch: QueuedJob, id: string): string[] {
  const [, plan = '', first, end] = /\.([0-9a-f]{16})\.(\d+)-(\d+|end)$/.exec(id) ?? []
  if (first === undefined) return []
  return [segmentKey(dispatch, { plan, first: Number(first), end: end === 'end' ? null : Number(end) })]
}
