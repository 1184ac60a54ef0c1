import { type AccountRow, findAccount } from '../../db/accounts.ts'
import type { Statement } from '../../db/client.ts'
import { commit, LostRace } from '../../db/commit.ts'
import { linkStatement } from '../../db/sign-in.ts'
import type { Deps } from '../../deps.ts'
import type { Identity } from '../../rules/sign-in.ts'
import { ApiError } from '../api-error.ts'
import { forgetCredentials } from './authenticate.ts'

/**
 * Links an account to an identity, after what else is to happen in the same commit. Linking the same again
 * changes nothing. Throws 409 where either of them is linked otherwise, also when that was only just done.
 */
export async function linkAccount(
  deps: Deps,
  accountId: number,
  identity: Identity,
  before: Statement[] = [],
): Promise<AccountRow> {
  try {
    await commit(deps.db, [...before, linkStatement(deps.db, accountId, identity)])
  } catch (error) {
    if (error instanceof LostRace) throw new ApiError(409, 'this identity is linked to another account')
    throw error
  }
  forgetCredentials(deps)
  const account = await findAccount(deps.db, accountId)
  if (account?.idpIssuer !== identity.issuer || account.idpSubject !== identity.subject) {
    throw new ApiError(409, 'this account is linked to another identity; unlink that first')
  }
  return account
}
