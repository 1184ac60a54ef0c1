import type { Deps } from '../deps.ts'
import { findByIdentity, linkStatement, removeLinkStatement } from '../identity/queries.ts'
import type { Identity } from '../identity/rules/sign-in.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit, LostRace } from '../platform/database/commit.ts'
import { isSpread } from '../platform/database/find-place.ts'
import { requireAllKnown } from '../platform/database/known-databases.ts'
import { readEverywhere } from '../platform/database/read-everywhere.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { forgetCredentials } from './authenticate.ts'
import { type AccountRow, findAccount } from './queries.ts'

/**
 * Links an account to an identity in one commit with the given statements. Linking the same identity again changes
 * nothing. Throws 409 if the account or the identity is already linked elsewhere, and LostRace if one of the given
 * statements fails.
 */
export async function linkAccount(
  deps: Deps,
  accountId: number,
  identity: Identity,
  before: Statement[] = [],
): Promise<AccountRow> {
  await requireAllKnown(deps)
  if (isSpread(deps)) await requireUnlinked(deps, accountId, identity)
  try {
    await commit(deps.db, [...before, linkStatement(deps.db, accountId, identity)])
  } catch (error) {
    if (error instanceof LostRace) await requireUnlinked(deps, accountId, identity)
    throw error
  }
  if (isSpread(deps)) await keepOneLink(deps, accountId, identity)
  forgetCredentials(deps)
  const account = await findAccount(deps.db, accountId)
  if (account?.idpIssuer !== identity.issuer || account.idpSubject !== identity.subject) {
    throw new ApiError('account_already_linked')
  }
  return account
}

/** Undoes the link if an account in another database was linked at the same time. Both attempts may throw 409. */
async function keepOneLink(deps: Deps, accountId: number, identity: Identity): Promise<void> {
  try {
    await requireUnlinked(deps, accountId, identity)
  } catch (error) {
    await commit(deps.db, [removeLinkStatement(deps.db, accountId, identity)])
    throw error
  }
}

/** Throws 409 if another account, in any database, is linked to the identity. */
async function requireUnlinked(deps: Deps, accountId: number, identity: Identity): Promise<void> {
  const found = await readEverywhere(deps, (db) => findByIdentity(db, identity, null))
  if (found.every(({ linked }) => linked === undefined || linked.id === accountId)) return
  throw new ApiError('identity_already_linked')
}
