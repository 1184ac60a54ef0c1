import { insertAccount, toCallerAccount } from '../../db/accounts.ts'
import type { Deps } from '../../deps.ts'
import { hashPassword } from '../../integrations/passwords.ts'
import { ApiError } from '../api-error.ts'
import { settleAccount } from '../credits/settle.ts'
import { beginSession } from './session.ts'

interface Registration {
  email: string
  password: string
  full_name?: string | undefined
}

/**
 * Opens an account, unverified and usable at once; the first daily allowance lands with it.
 * Throws 409 for an address that has an account. Specification: Accounts and sign-in, rule 1.
 */
export async function register(deps: Deps, { email, password, full_name }: Registration) {
  const emailKey = email.toLowerCase()
  const row = await insertAccount(deps.db, {
    email,
    emailKey,
    fullName: full_name ?? null,
    passwordHash: await hashPassword(password),
    isAdmin: deps.env.ADMIN_EMAILS.includes(emailKey),
    createdAt: deps.clock.now(),
  })
  if (row === null) throw new ApiError(409, 'an account with this e-mail address exists already')
  await settleAccount(deps, row.id)
  return beginSession(deps, toCallerAccount(row), row.sessionEpoch)
}
