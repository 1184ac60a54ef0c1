import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { chooseLane, type Lane } from '../../shared/planning/lanes.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Environment } from '../environment.ts'
import { jobOptions, listQueues, type MediaQueues, type QueuedJob } from './queues.ts'
import { assignPriorities, releaseJobTurn } from './turn-keeper.ts'

export interface EnqueueParts {
  environment: Pick<Environment, 'ATTEMPTS_MAX' | 'RETRY_MS'>
  queues: MediaQueues
  redis: Redis
}

/**
 * Adds jobs to their lanes. A job that any queue already holds is not added again, because a repeated message, or a
 * version that weighs jobs differently, must not run a job twice.
 */
export async function enqueueJobs(dispatches: readonly Dispatch[], parts: EnqueueParts): Promise<void> {
  const held = await Promise.all(dispatches.map((dispatch) => isHeld(dispatch, parts)))
  const added = dispatches.filter((_dispatch, index) => !held[index])
  const lanes = Map.groupBy(added, chooseLane)
  await Promise.all([...lanes].map(([lane, jobs]) => addToLane(lane, jobs, parts)))
}

/** Adds jobs to a lane, whatever other lanes hold. Accounts take turns (rules/turns.ts). */
export async function addToLane(
  lane: Lane,
  jobs: readonly QueuedJob[],
  { queues, environment, redis }: EnqueueParts,
): Promise<void> {
  const queue = queues.lanes[lane]
  const priorities = await assignPriorities(redis, queue, jobs)
  await queue.addBulk(
    jobs.map((data, index) => {
      const opts = jobOptions(data, priorities[index] ?? 0, environment)
      return { name: data.operation_key, data, opts }
    }),
  )
}

/** Removes a job from every queue in which it waits. Returns false if no queue held it. */
export async function removeJob(job_id: string, { queues, redis }: EnqueueParts): Promise<boolean> {
  const removed = await Promise.all(
    listQueues(queues).map(async (queue) => {
      const job = await queue.getJob(job_id)
      if (job === undefined || (await queue.remove(job_id)) !== 1) return false
      if (job.finishedOn === undefined) await releaseJobTurn(redis, queue, job.data)
      return true
    }),
  )
  return removed.includes(true)
}

/** Checks whether a job is in a queue, and prepares the queues for a later dispatch of it. */
async function isHeld(dispatch: Dispatch, { queues, redis }: EnqueueParts): Promise<boolean> {
  const all = listQueues(queues)
  const exists = await Promise.all(all.map((queue) => redis.exists(queue.toKey(dispatch.job_id))))
  const holding = all.filter((_queue, index) => exists[index] === 1)
  if (dispatch.dispatch === 1) return holding.length > 0
  const kept = await Promise.all(holding.map((queue) => keepEarlier(dispatch, queue, redis)))
  return kept.includes(true)
}

/**
 * Decides what happens to an earlier dispatch of a job that the edge dispatches again, because the fleet stopped
 * reporting on it or it has waited too long. A running job continues, a waiting job gets the new priority, and a
 * finished job is removed.
 * @returns true if the queue keeps the job.
 */
async function keepEarlier(dispatch: Dispatch, queue: Queue<QueuedJob>, redis: Redis): Promise<boolean> {
  const earlier = await queue.getJob(dispatch.job_id)
  if (earlier === undefined) return false
  if (earlier.data.dispatch >= dispatch.dispatch) return true
  const state = await queue.getJobState(dispatch.job_id)
  if (state === 'completed' || state === 'failed') {
    await queue.remove(dispatch.job_id)
    return false
  }
  if (state === 'active') return true
  const [priority = earlier.priority] = await assignPriorities(redis, queue, [dispatch])
  if (priority < earlier.priority) await earlier.changePriority({ priority })
  // The job keeps its earlier turn. Otherwise, each redispatch would move the account's next job back.
  else await releaseJobTurn(redis, queue, dispatch)
  return true
}
