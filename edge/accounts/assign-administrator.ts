import type { Deps } from '../deps.ts'
import { type AccountRow, makeAdministrator } from './queries.ts'

/**
 * Makes an account an administrator if its address is in ADMIN_EMAILS, even if the address was added later.
 * @returns the updated account.
 */
export async function assignAdministrator({ db, env }: Deps, account: AccountRow): Promise<AccountRow> {
  const isNamed = env.ADMIN_EMAILS.includes(account.emailKey)
  // The changes of an administrator are in the home, and their log refers to the account.
  if (account.isAdmin || account.emailVerifiedAt === null || !isNamed || db.$number !== 0) return account
  await makeAdministrator(db, account.id)
  return { ...account, isAdmin: true }
}
