import type { Deps } from '../deps.ts'
import { identityEffects } from '../identity/emails.ts'
import { findByIdentity, linkStatement, removeLinkStatement } from '../identity/queries.ts'
import type { Identity } from '../identity/rules/sign-in.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit, LostRace } from '../platform/database/commit.ts'
import { isSpread } from '../platform/database/find-place.ts'
import { requireAllKnown } from '../platform/database/known-databases.ts'
import { readEverywhere } from '../platform/database/read-everywhere.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { effectStatements } from '../platform/outbox/queries.ts'
import { sendEffects } from '../platform/outbox/send.ts'
import { forgetCredentials } from './authenticate.ts'
import { type AccountRow, findAccount } from './queries.ts'

/**
 * Links an account to an identity in one commit with the given statements. Linking the same identity again changes
 * nothing. Emails the owner of a confirmed address. Throws 409 if the account or the identity is already linked elsewhere, and LostRace if one of the given
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
  const now = deps.clock.now()
  const earlier = await findAccount(deps.db, accountId)
  const isNew = earlier !== undefined && earlier.idpSubject === null
  const effects = isNew ? identityEffects(deps, earlier, 'linked', now) : []
  const linked = linkStatement(deps.db, accountId, identity, now)
  try {
    await commit(deps.db, [...before, linked, ...effectStatements(deps.db, effects, now)])
  } catch (error) {
    if (error instanceof LostRace) await requireUnlinked(deps, accountId, identity)
    throw error
  }
  deps.defer(sendEffects(deps, effects))
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
