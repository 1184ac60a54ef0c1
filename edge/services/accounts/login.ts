import { findAccountByEmail, toCallerAccount } from '../../db/accounts.ts'
import type { Deps } from '../../deps.ts'
import { isPassword } from '../../integrations/passwords.ts'
import { ApiError } from '../api-error.ts'
import { beginSession } from './session.ts'

/** Throws 401 with the same words, after the same work, for an unknown address and a wrong password. */
export async function login(deps: Deps, { email, password }: { email: string; password: string }) {
  const row = await findAccountByEmail(deps.db, email.toLowerCase())
  const right = await isPassword(password, row?.passwordHash ?? null)
  if (row === undefined || !right) throw new ApiError(401, 'wrong e-mail address or password')
  if (row.blockedAt !== null) throw new ApiError(403, 'this account is blocked; please write to support')
  return beginSession(deps, toCallerAccount(row), row.sessionEpoch)
}
