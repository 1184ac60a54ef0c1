import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { deleteFavorite } from './queries.ts'

/** Unpins a tool; does nothing if it is not pinned. */
export function removeFavorite(deps: Deps, { account }: SessionCaller, operationId: number): Promise<void> {
  return deleteFavorite(deps.db, account.id, operationId)
}
