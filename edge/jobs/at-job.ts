import { type Caller, seesAll } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { isAccountMoved } from '../platform/database/account-moving.ts'
import {
  atDatabase,
  atHome,
  findElsewhere,
  findPlace,
  guessDatabase,
  isSpread,
} from '../platform/database/find-place.ts'
import { databaseNumberOf } from '../platform/database/ids.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { hasAnonymousWork, hasJob } from './queries.ts'

/**
 * Handles something that concerns a job in the database of its account. Asks other databases only if the job is not in
 * the one that its id names.
 */
export async function atJob<Answer>(
  deps: Deps,
  job_id: string,
  handle: (own: Deps) => Promise<Answer>,
): Promise<Answer> {
  const guessed = atDatabase(deps, guessDatabase(deps, job_id))
  try {
    return await handle(guessed)
  } catch (error) {
    if (!isElsewhere(error)) throw error
    const place = await findElsewhere(deps, job_id, guessed.db, ({ db }) => hasJob(db, job_id))
    if (place === null) throw error
    return handle(place.deps)
  }
}

function isElsewhere(error: unknown): boolean {
  return isAccountMoved(error) || (error instanceof ApiError && error.code === 'job_not_found')
}

/**
 * Returns the dependencies for a job or batch that a caller names. It is usually in the database of the caller. Anonymous
 * work is in the home, and administrators see that of all accounts.
 */
export async function atNamedWork(deps: Deps, caller: Caller, id: string): Promise<Deps> {
  if (!isSpread(deps) || caller.kind === 'anonymous') return deps
  if (seesAll(caller)) return (await findPlace(deps, id, ({ db }) => hasJob(db, id)))?.deps ?? deps
  if (deps.db.$number === 0 || databaseNumberOf(id) !== 0) return deps
  const home = atHome(deps)
  return (await hasAnonymousWork(home.db, id)) ? home : deps
}
