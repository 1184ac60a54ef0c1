import { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Deps } from '../deps.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { sendEffects } from '../platform/outbox/send.ts'
import { settleAll } from '../platform/settle-all.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import { dispatchEffect } from './dispatch.ts'
import { claimRedispatch, listStaleJobs, type StaleJob } from './queries.ts'
import { overduePriority } from './rules/queue-priority.ts'

/** A running job reports every second while it is making progress, and every 30 seconds while it is not. */
const PROCESSING_SILENCE_MS_MAX = 2 * 60 * 1000
const JOBS_MAX = 50

/**
 * Redispatches stale jobs, because the fleet may have lost its queue. If the fleet still has a job, it does not run
 * it twice. By then, a queued job has waited for the maximum delay, so it runs next. Contract: Limits, Queue delay.
 */
export async function redispatchStaleJobs(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const { queue_wait_max_minutes } = await loadSettings(deps.db, now)
  // Runs the queries one at a time, because the dispatches of both states would exceed one database response.
  const silent = [
    ...(await listStaleJobs(deps.db, 'processing', now - PROCESSING_SILENCE_MS_MAX, JOBS_MAX)),
    ...(await listStaleJobs(deps.db, 'queued', now - queue_wait_max_minutes * 60 * 1000, JOBS_MAX)),
  ]
  const handings = silent.map((job) => redispatchJob(deps, job, now))
  // An unreadable dispatch does not block the others.
  const outcomes = await Promise.allSettled(handings)
  await sendEffects(
    deps,
    outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])),
  )
  await settleAll(handings)
}

/**
 * Commits the next dispatch number, then writes the dispatch to the outbox. After a crash between the two steps,
 * the job becomes stale again, and a later run finds it.
 */
export async function redispatchJob(deps: Deps, job: StaleJob, now: number): Promise<Effect[]> {
  const last = Dispatch.parse(job.dispatch)
  const priority = overduePriority(last.priority)
  const next = { ...last, dispatch: last.dispatch + 1, priority, hold_ms: 0 }
  if (!(await claimRedispatch(deps.db, job, next, now))) return []
  const effects = [dispatchEffect(next)]
  // The caller sends all dispatches to the queue after every job is committed.
  return commitOnce(deps, { effects, answer: effects }, 'by outbox')
}
