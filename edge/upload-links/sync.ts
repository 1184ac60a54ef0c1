import type { Deps } from '../deps.ts'
import { listJobs } from '../jobs/queries.ts'
import { type FoundSession, transitionSession } from './queries.ts'
import { findDueTransition } from './rules/sessions.ts'

/**
 * Updates sessions to their current state when they are read, if their links have expired or their jobs have ended.
 * Contract: Upload links, Upload session states.
 */
export async function syncSessions(deps: Deps, found: readonly FoundSession[]): Promise<FoundSession[]> {
  return Promise.all((await withArchivedJobs(deps, found)).map((one) => syncLoaded(deps, one)))
}

export async function syncSession(deps: Deps, found: FoundSession): Promise<FoundSession> {
  const [session = found] = await syncSessions(deps, [found])
  return session
}

/** Adds the jobs that are in the archive. */
async function withArchivedJobs(
  { archive }: Deps,
  found: readonly FoundSession[],
): Promise<readonly FoundSession[]> {
  const ids = found.flatMap(({ session, job }) => (job === null ? (session.jobId ?? []) : []))
  if (archive === null || ids.length === 0) return found
  const jobs = new Map((await listJobs(archive, ids)).map((job) => [job.id, job]))
  return found.map(({ session, job }) => ({ session, job: job ?? jobs.get(session.jobId ?? '') ?? null }))
}

async function syncLoaded({ db, clock }: Deps, found: FoundSession): Promise<FoundSession> {
  const { session, job } = found
  const standing = { status: session.status, expires_at: session.expiresAt, job }
  const transition = findDueTransition(standing, clock.now())
  if (transition === null) return found
  // A concurrent change made the same transition, or a later one that the next reader will see.
  await transitionSession(db, session, transition)
  return { session: { ...session, ...transition }, job }
}
