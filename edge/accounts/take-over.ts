import type { Deps } from '../deps.ts'
import { revokeAccessStatements, unlinkedGuard } from '../identity/queries.ts'
import type { Identity } from '../identity/rules/sign-in.ts'
import { cancelOpenJobs } from '../jobs/cancel-open-jobs.ts'
import { commit } from '../platform/database/commit.ts'
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
  await cancelOpenJobs(deps, accountId)
  // Repeats the statements, because a request authorized earlier may have added a way in since the first commit.
  await linkAccount(deps, accountId, identity, statements)
}
