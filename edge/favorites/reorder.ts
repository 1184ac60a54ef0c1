import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { commit } from '../platform/database/commit.ts'
import { showFavorites } from './list.ts'
import { listFavorites, moveFavoriteStatement } from './queries.ts'
import { reorder } from './rules/reorder.ts'

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
