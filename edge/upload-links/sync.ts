import type { Deps } from '../deps.ts'
import { type FoundSession, transitionSession } from './queries.ts'
import { findDueTransition } from './rules/sessions.ts'

/**
 * Updates sessions to their current state when they are read, if their links have expired or their jobs have ended.
 * Contract: Upload links, Upload session states.
 */
export function syncSessions(deps: Deps, found: readonly FoundSession[]): Promise<FoundSession[]> {
  return Promise.all(found.map((one) => syncSession(deps, one)))
}

export async function syncSession({ db, clock }: Deps, found: FoundSession): Promise<FoundSession> {
  const { session, job } = found
  const standing = { status: session.status, expires_at: session.expiresAt, job }
  const transition = findDueTransition(standing, clock.now())
  if (transition === null) return found
  // A concurrent change made the same transition, or a later one that the next reader will see.
  await transitionSession(db, session, transition)
  return { session: { ...session, ...transition }, job }
}
