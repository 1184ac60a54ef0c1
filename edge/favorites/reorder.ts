import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import { showFavorites } from './list.ts'
import { listFavorites, moveFavoriteStatement } from './queries.ts'
import { reorder } from './rules/reorder.ts'

/** Moves the given favorites to the front in the given order, and returns all favorites. */
export async function reorderFavorites(deps: Deps, caller: SessionCaller, named: readonly number[]) {
  const { db } = deps
  const { id } = caller.account
  const pinned = (await listFavorites(db, id)).map(({ operationId }) => operationId)
  await commit(
    db,
    reorder(pinned, named).map((operationId, position) =>
      moveFavoriteStatement(db, id, operationId, position),
    ),
  )
  return showFavorites(deps, caller)
}
