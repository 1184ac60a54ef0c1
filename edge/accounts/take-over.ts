import type { Deps } from '../deps.ts'
import { revokeAccessStatements, unlinkedGuard } from '../identity/queries.ts'
import type { Identity } from '../identity/rules/sign-in.ts'
import { endJob } from '../jobs/end.ts'
import { listOpenJobsOf } from '../jobs/queries.ts'
import { commit } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { pickLocale } from '../platform/http/rules/locale.ts'
import { forgetCredentials } from './authenticate.ts'
import { linkAccount } from './link-identity.ts'

/**
 * Links an account that someone else created with this person's address. First ends every way into it and cancels
 * its open jobs. Links last, so the next sign-in repeats an interrupted takeover. Throws 409 like linkAccount, and
 * LostRace if the address was verified or the identity was linked concurrently.
 */
export async function takeOverAccount(deps: Deps, accountId: number, identity: Identity): Promise<void> {
  const { full_name, locale } = identity
  const owner = { fullName: full_name, ...(locale === null ? {} : { locale: pickLocale(locale) }) }
  const statements = [
    unlinkedGuard(deps.db, accountId, identity),
    ...revokeAccessStatements(deps.db, accountId, owner),
  ]
  await commit(deps.db, statements)
  forgetCredentials(deps)
  for (const job of await listOpenJobsOf(deps.db, accountId)) {
    await endJob(deps, job, { status: 'canceled' }).catch(ignoreFinished)
  }
  // Repeats the statements, because a request authorized earlier may have added a way in since the first commit.
  await linkAccount(deps, accountId, identity, statements)
}

/** Ignores the error if the job finished concurrently. */
function ignoreFinished(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'job_already_finished')) throw error
}
