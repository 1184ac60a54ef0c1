import { deleteFavorite } from '../../db/favorites.ts'
import type { Deps } from '../../deps.ts'
import type { SessionCaller } from '../../rules/caller.ts'

/** Unpins a tool, whether or not it was pinned. */
export function removeFavorite(deps: Deps, { account }: SessionCaller, operationId: number): Promise<void> {
  return deleteFavorite(deps.db, account.id, operationId)
}
