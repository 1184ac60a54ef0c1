import { z } from 'zod'
import { refundFiles } from '../batches/stop.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { loadCredits } from '../credits/queries.ts'
import type { Change, Credits } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { acknowledgeStatement, type Effect, effectStatements } from '../platform/outbox/queries.ts'
import { cancelEffect } from './cancel-effect.ts'
import { dispatchEffectId } from './dispatch.ts'
import { listOpenJobs, type OpenJobs } from './open-job-queries.ts'
import { withProgress } from './progress/with-progress.ts'
import { cancelJobsStatements } from './queries.ts'

/** A dispatch has up to 120,000 bytes, and the database returns at most 10 MB. */
const JOBS_AT_ONCE = 50

const Cancellation = z.object({ account_id: z.int(), created_until: z.number() })

/** Returns the effect that cancels the jobs that an account has now, but none that it submits later. */
export function cancelOpenEffect(account_id: number, now: number): Effect {
  return {
    id: `cancel-open:${account_id}:${now}`,
    kind: 'cancel_open',
    payload: { account_id, created_until: now } satisfies z.infer<typeof Cancellation>,
  }
}

/** Carries out cancelOpenEffect. Repeating it changes nothing. */
export function sendCancelOpen(deps: Deps, payload: unknown): Promise<void> {
  const { account_id, created_until } = Cancellation.parse(payload)
  return cancelOpenJobs(deps, account_id, created_until)
}

/** Loads the oldest open jobs of an account, at most as many as one commit cancels. */
export async function loadOpenJobs(
  deps: Pick<Deps, 'db' | 'progress'>,
  accountId: number,
  created_until = Number.MAX_SAFE_INTEGER,
): Promise<OpenJobs> {
  const { jobs, allocations } = await listOpenJobs(deps.db, accountId, { created_until, limit: JOBS_AT_ONCE })
  return { jobs: await withProgress(deps, jobs), allocations }
}

/** Cancels and refunds open jobs. Announces nothing, because the account has no receivers any more. */
export function cancelAndRefund(
  { db }: Pick<Deps, 'db'>,
  open: OpenJobs,
  credits: Credits,
  now: number,
): { change: Change; statements: Statement[]; effects: Effect[] } {
  const { jobs } = open
  return {
    change: refundFiles(credits, open, now),
    statements: [
      ...cancelJobsStatements(db, jobs, now),
      acknowledgeStatement(db, ...jobs.map(({ dispatch }) => dispatchEffectId(dispatch))),
    ],
    effects: jobs.map(({ id }) => cancelEffect(id)),
  }
}

/**
 * Cancels and refunds all open jobs of an account whose receivers are removed, in bounded commits. The fleet is notified
 * by the outbox, because the jobs may be thousands.
 */
export async function cancelOpenJobs(deps: Deps, accountId: number, created_until?: number): Promise<void> {
  let canceled: number
  do {
    canceled = await changeCredits(deps, accountId, {
      load: async (grants_max) => {
        const [open, loaded] = await Promise.all([
          loadOpenJobs(deps, accountId, created_until),
          loadCredits(deps.db, accountId, grants_max),
        ])
        return { open, loaded }
      },
      decide: ({ open }, settled, now) => {
        const { change, statements, effects } = cancelAndRefund(deps, open, settled, now)
        return {
          change,
          statements: [...statements, ...effectStatements(deps.db, effects, now)],
          answer: open.jobs.length,
        }
      },
    })
  } while (canceled === JOBS_AT_ONCE)
}

/** Cancels the open jobs of an account if they are too many for one commit. */
export async function cancelOpenJobsIfMany(deps: Deps, accountId: number): Promise<void> {
  const { jobs } = await loadOpenJobs(deps, accountId)
  if (jobs.length === JOBS_AT_ONCE) await cancelOpenJobs(deps, accountId)
}
