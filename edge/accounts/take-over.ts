import type { Deps } from '../deps.ts'
import { disownStatements, stillForeignStatement } from '../identity/queries.ts'
import type { Identity } from '../identity/rules/sign-in.ts'
import { endJob } from '../jobs/end.ts'
import { listOpenJobsOf } from '../jobs/queries.ts'
import { commit } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { pickLocale } from '../platform/http/rules/locale.ts'
import { forgetCredentials } from './authenticate.ts'
import { linkAccount } from './link-identity.ts'

/**
 * Links an account that somebody opened with this person's address: every way into it ends, and so do the jobs
 * that are open, before the welcome grant comes, which they would be paid from. The link is last: where this is cut
 * short, the next sign-in finds the account not linked and does it again. Throws 409 as linkAccount does, and
 * LostRace where the address was confirmed or the identity linked elsewhere meanwhile: nothing may be taken then.
 */
export async function takeOverAccount(deps: Deps, accountId: number, identity: Identity): Promise<void> {
  const { full_name, locale } = identity
  const owner = { fullName: full_name, ...(locale === null ? {} : { locale: pickLocale(locale) }) }
  const disown = [
    stillForeignStatement(deps.db, accountId, identity),
    ...disownStatements(deps.db, accountId, owner),
  ]
  await commit(deps.db, disown)
  forgetCredentials(deps)
  for (const job of await listOpenJobsOf(deps.db, accountId)) {
    await endJob(deps, job, { status: 'canceled' }).catch(letOverBe)
  }
  // Again: what was let in before may have come behind the first time.
  await linkAccount(deps, accountId, identity, disown)
}

/** It came to its end by itself meanwhile. */
function letOverBe(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'job_already_finished')) throw error
}
