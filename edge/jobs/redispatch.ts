import { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import { inLanes } from '../platform/in-lanes.ts'
import { acknowledgeDueAt } from '../platform/outbox/queries.ts'
import { sendEffects } from '../platform/outbox/send.ts'
import { settleAll } from '../platform/settle-all.ts'
import { untilNothingDue } from '../platform/until-nothing-due.ts'
import { loadSettings } from '../settings/queries.ts'
import { dispatchEffect } from './dispatch.ts'
import {
  addDispatchesStatement,
  claimRedispatchStatement,
  listClaimed,
  listSilentJobs,
  loadStaleJobs,
  type SilentJob,
  type StaleJob,
} from './redispatch-queries.ts'
import { overduePriority } from './rules/queue-priority.ts'

/** A running job reports every second while it is making progress, and every 30 seconds while it is not. */
export const PROCESSING_SILENCE_MS_MAX = 2 * 60 * 1000
const PAGE_ROWS = 500
/** A dispatch has up to 120,000 bytes, and the database returns at most 10 MB. */
const JOBS_AT_ONCE = 50
const LANES = 3

/**
 * Redispatches stale jobs, because the fleet may have lost its queue. If the fleet still has a job, it does not run
 * it twice. By then, a queued job has waited for the maximum delay, so it runs next. Contract: Limits, Queue delay.
 */
export async function redispatchStaleJobs(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const [{ queue_wait_max_minutes }, lost_at] = await Promise.all([
    loadSettings(deps.db, now),
    findQueueLoss(deps, now),
  ])
  await settleAll([
    redispatchSilent(deps, 'processing', now - PROCESSING_SILENCE_MS_MAX),
    redispatchSilent(deps, 'queued', Math.max(lost_at, now - queue_wait_max_minutes * 60 * 1000)),
  ])
}

/** Returns when the fleet last lost its queue, and with it all jobs that were queued before; 0 if never. */
async function findQueueLoss({ env, fleet }: Deps, now: number): Promise<number> {
  const { queue_id } = await fleet.askReadiness()
  if (queue_id === undefined) return 0
  return env.FLEET_QUEUE.get(env.FLEET_QUEUE.idFromName('queue')).note(queue_id, now)
}

/**
 * Redispatches the jobs of one state that have been silent since `before`, page by page. Throws the first failure after
 * all others have been dispatched.
 * @returns the number of dispatched jobs
 */
export async function redispatchSilent(
  deps: Deps,
  status: 'queued' | 'processing',
  before: number,
  budget_ms?: number,
): Promise<number> {
  let count = 0
  let after: SilentJob | null = null
  const faults: unknown[] = []
  await untilNothingDue(async () => {
    const page = await listSilentJobs(deps.db, status, { before, after, limit: PAGE_ROWS })
    after = page.at(-1) ?? null
    const stale = status === 'processing' ? await withoutReporting(deps, page, before) : page
    // An unreadable dispatch does not block the others.
    await inLanes(LANES, inParts(stale), async (part) => {
      count += await redispatchJobs(
        deps,
        part.map(({ id }) => id),
        before,
      )
    }).catch((error) => faults.push(error))
    return page.length === PAGE_ROWS
  }, budget_ms)
  if (faults.length > 0) throw faults[0]
  return count
}

const inParts = (jobs: readonly SilentJob[]) =>
  Array.from({ length: Math.ceil(jobs.length / JOBS_AT_ONCE) }, (_, part) =>
    jobs.slice(part * JOBS_AT_ONCE, (part + 1) * JOBS_AT_ONCE),
  )

/**
 * Drops running jobs that still report, because their progress does not reach the database. While the progress of a
 * job cannot be read, nothing is known about its silence.
 */
async function withoutReporting(deps: Deps, page: SilentJob[], before: number): Promise<SilentJob[]> {
  const attempts = await deps.progress.read(page.map(({ id }) => id))
  return page.filter(({ id }) => {
    const attempt = attempts.get(id)
    return attempt !== null && (attempt?.heard_at ?? 0) < before
  })
}

/**
 * Commits the next dispatch numbers of some open jobs together with the effects in the outbox, then sends the
 * dispatches. Throws the first unreadable dispatch after the others have been sent.
 * @param before excludes jobs that a concurrent run has dispatched since they were listed
 * @returns the number of dispatched jobs
 */
export async function redispatchJobs(
  deps: Deps,
  ids: string[],
  before = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { db } = deps
  const now = deps.clock.now()
  const loaded = await loadStaleJobs(db, ids)
  const { claims, fault } = readClaims(loaded.filter(({ heardAt }) => heardAt < before))
  let count = 0
  if (claims.length > 0) {
    const claimedIds = claims.map(({ job }) => job.id)
    await commit(db, [
      ...claims.map(({ job, next }) => claimRedispatchStatement(db, job, next, now)),
      addDispatchesStatement(db, claimedIds, now, acknowledgeDueAt(now)),
    ])
    const claimed = await listClaimed(db, claimedIds, now)
    count = claimed.size
    await sendEffects(
      deps,
      claims
        .filter(({ job }) => claimed.has(job.id))
        .map(({ next }) => ({ ...dispatchEffect(next), attempts: 1 })),
    )
  }
  if (fault !== undefined) throw fault
  return count
}

interface Claim {
  job: StaleJob
  next: Dispatch
}

function readClaims(stale: readonly StaleJob[]): { claims: Claim[]; fault?: Error } {
  const parsed = stale.map((job) => ({ job, ...Dispatch.safeParse(job.dispatch) }))
  return {
    claims: parsed.flatMap(({ job, data: last }) =>
      last === undefined
        ? []
        : [
            {
              job,
              next: {
                ...last,
                dispatch: last.dispatch + 1,
                // A running job that went silent has not waited longer than others.
                priority: job.status === 'queued' ? overduePriority(last.priority) : last.priority,
                hold_ms: 0,
              },
            },
          ],
    ),
    fault: parsed.find(({ error }) => error !== undefined)?.error,
  }
}
