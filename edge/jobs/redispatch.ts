import { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Deps } from '../deps.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { sendEffects } from '../platform/outbox/send.ts'
import { settleAll } from '../platform/settle-all.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import { dispatchEffect } from './dispatch.ts'
import { listSilentJobs, type SilentJob, takeRedispatch } from './queries.ts'
import { overduePriority } from './rules/queue-priority.ts'

/** A running job reports every second while it gets on, and every half minute while it stands still. */
const PROCESSING_SILENCE_MS_MAX = 2 * 60 * 1000
const JOBS_MAX = 50

/**
 * Hands jobs over anew that the fleet has not spoken of for long: its queue may be lost. Where the
 * fleet still has the job, it takes the repetition for what it is. A queued one has then waited behind
 * others as long as is allowed, and is handed over to be the next. Contract: Limits, Queue delay.
 */
export async function redispatchSilentJobs(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const { queue_wait_max_minutes } = await loadSettings(deps.db, now)
  // One after the other: so long dispatches would not go into one answer of the database.
  const silent = [
    ...(await listSilentJobs(deps.db, 'processing', now - PROCESSING_SILENCE_MS_MAX, JOBS_MAX)),
    ...(await listSilentJobs(deps.db, 'queued', now - queue_wait_max_minutes * 60 * 1000, JOBS_MAX)),
  ]
  const handings = silent.map((job) => handOver(deps, job, now))
  // One that cannot be read holds up none of the others.
  const outcomes = await Promise.allSettled(handings)
  await sendEffects(
    deps,
    outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])),
  )
  await settleAll(handings)
}

/** Takes the next number, then announces it. After a crash in between the job is silent, and found again. */
async function handOver(deps: Deps, job: SilentJob, now: number): Promise<Effect[]> {
  const last = Dispatch.parse(job.dispatch)
  const priority = overduePriority(last.priority)
  const next = { ...last, dispatch: last.dispatch + 1, priority, hold_ms: 0 }
  if (!(await takeRedispatch(deps.db, job, next, now))) return []
  const effects = [dispatchEffect(next)]
  // Many go into the queue together, after all are committed.
  return commitOnce(deps, { effects, answer: effects }, 'by outbox')
}
