import type { Deps } from '../deps.ts'
import { type AccountRow, makeAdministrator } from './queries.ts'

/**
 * Whoever ADMIN_EMAILS names is an administrator, also where it came to name them after their address was
 * confirmed. @returns the account as it is then.
 */
export async function nameAdministrator({ db, env }: Deps, account: AccountRow): Promise<AccountRow> {
  const isNamed = env.ADMIN_EMAILS.includes(account.emailKey)
  if (account.isAdmin || account.emailVerifiedAt === null || !isNamed) return account
  await makeAdministrator(db, account.id)
  return { ...account, isAdmin: true }
}
