import type { Deps } from '../deps.ts'
import { revokeAccessStatements } from '../identity/queries.ts'
import { cancelOpenEffect } from '../jobs/cancel-open-jobs.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import type { AccountRow } from './queries.ts'

/**
 * Ends every way into an account that someone may have created with another person's address, and cancels the jobs that
 * are open then. Commit the statements and the effect together with the owner's first credential.
 */
export function revokeStranger(
  { db }: Pick<Deps, 'db'>,
  accountId: number,
  owner: Pick<AccountRow, 'fullName'> & Partial<Pick<AccountRow, 'locale'>>,
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  return {
    statements: revokeAccessStatements(db, accountId, owner),
    effects: [cancelOpenEffect(accountId, now)],
  }
}
