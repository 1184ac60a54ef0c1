import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { findConnection, listConnections, type StoredConnection } from './queries.ts'
import { viewConnection } from './view.ts'

export async function showConnections({ db }: Deps, { account }: AccountCaller) {
  return (await listConnections(db, account.id)).map(viewConnection)
}

/** Returns a connection of the account. Throws 404. */
export async function requireConnection(
  { db }: Deps,
  accountId: number,
  name: string,
): Promise<StoredConnection> {
  const found = await findConnection(db, accountId, name)
  if (found === undefined) throw new ApiError('storage_connection_not_found')
  return found
}
