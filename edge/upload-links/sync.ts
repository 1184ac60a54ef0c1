import type { Deps } from '../deps.ts'
import { type FoundSession, moveSession } from './queries.ts'
import { findDueMove } from './rules/sessions.ts'

/**
 * Sessions as they are by now: what ran out has expired, and what became of a file follows from its job. Both
 * are written when somebody looks. Contract: Upload links, Upload session states.
 */
export function syncSessions(deps: Deps, found: readonly FoundSession[]): Promise<FoundSession[]> {
  return Promise.all(found.map((one) => syncSession(deps, one)))
}

export async function syncSession({ db, clock }: Deps, found: FoundSession): Promise<FoundSession> {
  const { session, job } = found
  const standing = { status: session.status, expires_at: session.expiresAt, job }
  const move = findDueMove(standing, clock.now())
  if (move === null) return found
  // Where somebody else was first, it was with the same move, or with one that its next reader sees.
  await moveSession(db, session, move)
  return { session: { ...session, ...move }, job }
}
