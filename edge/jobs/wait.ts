import { type Caller, maySee } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { pauseAfter } from './rules/events.ts'
import { isOver } from './rules/states.ts'
import { findJob } from './show.ts'
import { viewJob } from './view.ts'
import { lookAtJob, readSnapshot } from './watch.ts'

/** Options of a read that waits for an end. */
export interface Waiting {
  /** Maximum time to wait in seconds; 0 answers at once. */
  wait: number
  /** Aborted when the client has left. */
  signal: AbortSignal
  findCallerNow(): Promise<Caller | null>
}

/** What a read waits for. */
interface AwaitedWork {
  /** What the caller must still be allowed to see. */
  owned: { accountId: number | null }
  /** Error for a caller who may not see it. */
  unknown: 'job_not_found' | 'batch_not_found'
}

/** Maximum number of concurrent waiting reads of one caller in this isolate. Further reads answer at once. */
const WAITS_MAX = 20
/** When a read that could not wait should be repeated. */
const RETRY_AFTER_SECONDS = 5

/** What a read shows, and whether it could wait. */
export interface WaitedFor<Shown> {
  shown: Shown
  outcome: WaitOutcome
}

/** `crowded`: too many reads of the caller are waiting. `ongoing`: the time is over, or the client has left. */
export type WaitOutcome = 'ended' | 'ongoing' | 'crowded'

/** Answers with what a read shows. A read that could not wait says when to repeat it. */
export function answerWaiting<Shown>({ shown, outcome }: WaitedFor<Shown>): Response {
  const headers: Record<string, string> =
    outcome === 'crowded' ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {}
  return Response.json(shown, { headers })
}
const waits = new Map<string, number>()

/**
 * Shows a job when it ends, or after `wait` seconds. Throws like findJob, and 401 once the credential is revoked.
 * Contract: Jobs, Wait for the end.
 */
export async function showJobAtEnd(
  deps: Deps,
  caller: Caller,
  id: string,
  waiting: Waiting,
): Promise<WaitedFor<ReturnType<typeof viewJob>>> {
  const job = await findJob(deps, caller, id)
  if (waiting.wait === 0 || isOver(job.status)) return { shown: viewJob(deps, job), outcome: 'ended' }
  let snapshot = await readSnapshot(deps, id)
  const awaited = { owned: job, unknown: 'job_not_found' } as const
  const outcome = await waitForEnd(deps, caller, awaited, waiting, async (pause_ms) => {
    snapshot = await lookAtJob(deps, id, snapshot, pause_ms)
    return snapshot.job !== null
  })
  const current = outcome === 'crowded' ? job : (snapshot.job ?? (await findJob(deps, caller, id)))
  return { shown: viewJob(deps, current), outcome }
}

/**
 * Waits until `hasEnded`, which polls, returns true, or until the timeout.
 */
export async function waitForEnd(
  deps: Deps,
  caller: Caller,
  awaited: AwaitedWork,
  { wait, signal, findCallerNow }: Waiting,
  hasEnded: (pause_ms: number) => Promise<boolean>,
): Promise<WaitOutcome> {
  const subject = caller.account === null ? (caller.address_key ?? '') : `account:${caller.account.id}`
  const count = waits.get(subject) ?? 0
  if (count >= WAITS_MAX) return 'crowded'
  waits.set(subject, count + 1)
  try {
    const started_at = deps.clock.now()
    const until = started_at + wait * 1000
    for (let now = started_at; now < until; now = deps.clock.now()) {
      const pause_ms = Math.min(pauseAfter(now - started_at), until - now)
      if (!(await pause(pause_ms, signal))) return 'ongoing'
      if (await hasEnded(pause_ms)) return 'ended'
      requireSight(caller, await findCallerNow(), awaited)
    }
    return 'ongoing'
  } finally {
    leave(subject)
  }
}

/** Waits for a while. Returns false if the client has left. */
async function pause(pause_ms: number, signal: AbortSignal): Promise<boolean> {
  await scheduler.wait(pause_ms, { signal }).catch((error) => {
    if (!signal.aborted) throw error
  })
  return !signal.aborted
}

function requireSight(caller: Caller, now: Caller | null, { owned, unknown }: AwaitedWork): void {
  if (now === null) throw new ApiError(caller.kind === 'key' ? 'invalid_api_key' : 'invalid_bearer_token')
  if (!maySee(now, owned)) throw new ApiError(unknown)
}

function leave(subject: string): void {
  const count = (waits.get(subject) ?? 1) - 1
  if (count === 0) waits.delete(subject)
  else waits.set(subject, count)
}
