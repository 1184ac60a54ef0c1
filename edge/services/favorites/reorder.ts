import { commit } from '../../db/commit.ts'
import { listFavorites, moveFavoriteStatement } from '../../db/favorites.ts'
import type { Deps } from '../../deps.ts'
import type { SessionCaller } from '../../rules/caller.ts'
import { reorder } from '../../rules/favorites.ts'
import { showFavorites } from './list.ts'

/** Puts the pins that are named first, in this order. Answers all of them. */
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
