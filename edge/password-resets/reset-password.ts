import { forgetCredentials } from '../accounts/authenticate.ts'
import { beginSession } from '../accounts/begin-session.ts'
import type { Client } from '../accounts/client.ts'
import { requireNotBlocked } from '../accounts/login.ts'
import { hashPassword } from '../accounts/password-hash.ts'
import { type AccountRow, findAccount, loadCallerAccount } from '../accounts/queries.ts'
import { revokeStranger } from '../accounts/revoke-stranger.ts'
import { isWeakPassword } from '../accounts/rules/passwords.ts'
import type { Deps } from '../deps.ts'
import { asciiEmail } from '../emails/ascii-address.ts'
import { identityEffects } from '../identity/emails.ts'
import { deleteKeysStatement } from '../identity/queries.ts'
import { findAnywhere, type Place } from '../platform/database/find-place.ts'
import { ApiError, invalidField } from '../platform/errors/api-error.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { hashLinkToken } from '../upload-links/link-token.ts'
import { passwordChangedEffect } from './emails.ts'
import { findResetAccount, resetGuard, setPasswordStatements } from './queries.ts'

interface Reset {
  token: string
  new_password: string
  delete_api_keys?: boolean | undefined
}

/**
 * Sets a new password with an emailed link and signs in. Ends all sessions and all links of the account, removes
 * its identity, and deletes its API keys on request. If the address
 * was never confirmed, someone else may have created the account: in that case, removes all credentials and receivers
 * of the account, and cancels its open jobs. Does not confirm the address, so it pays no welcome grant. Throws 400 for
 * an unusable link, 403 for a blocked account, and 422 for a weak password. Contract: Accounts, Password reset.
 */
export async function resetPassword(
  asked: Deps,
  { token, new_password, delete_api_keys = false }: Reset,
  client: Client,
) {
  const tokenHash = hashLinkToken(token)
  const { deps, found } = await findOwnerPlace(asked, tokenHash)
  requireStrong(new_password, found)
  const passwordHash = await hashPassword(new_password)
  const account = await unitOfWork(deps, {
    load: () => findOwner(deps, tokenHash),
    decide: (owner, now) => {
      const revoked =
        owner.emailVerifiedAt === null ? revokeStranger(deps, owner.id, { fullName: null }, now) : undefined
      return {
        statements: [
          resetGuard(deps.db, tokenHash, owner, now),
          ...(revoked?.statements ?? []),
          ...setPasswordStatements(deps.db, owner.id, {
            passwordHash,
            keptSession: null,
            unlinks: true,
            now,
          }),
          ...(delete_api_keys ? [deleteKeysStatement(deps.db, owner.id)] : []),
        ],
        effects: [
          ...passwordChangedEffect(deps, owner, { cause: tokenHash, now }),
          ...(owner.idpSubject === null ? [] : identityEffects(deps, owner, 'unlinked', now)),
          ...(revoked?.effects ?? []),
        ],
        answer: owner,
      }
    },
  })
  forgetCredentials(deps)
  return signIn(deps, account, client)
}

async function findOwnerPlace(deps: Deps, tokenHash: string): Promise<Place<AccountRow>> {
  const place = await findAnywhere(deps, ({ db, clock }) => findResetAccount(db, tokenHash, clock.now()))
  if (place === null) throw new ApiError('password_reset_link_invalid')
  requireNotBlocked(place.found)
  return place
}

async function findOwner(deps: Deps, tokenHash: string): Promise<AccountRow> {
  const owner = await findResetAccount(deps.db, tokenHash, deps.clock.now())
  if (owner === undefined) throw new ApiError('password_reset_link_invalid')
  requireNotBlocked(owner)
  return owner
}

function requireStrong(password: string, { email }: AccountRow): void {
  if (isWeakPassword(asciiEmail(password), email)) throw invalidField('new_password', 'weak_password')
}

async function signIn(deps: Deps, { id }: AccountRow, client: Client) {
  const account = await findAccount(deps.db, id)
  if (account === undefined) throw new ApiError('account_not_found')
  return beginSession(deps, await loadCallerAccount(deps.db, account), account, client)
}
