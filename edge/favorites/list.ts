import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../platform/iso-time.ts'
import { listFavorites, type StoredFavorite } from './queries.ts'

/** Lists pinned studio tools in the order the account chose. */
export async function showFavorites(deps: Deps, { account }: SessionCaller) {
  return (await listFavorites(deps.db, account.id)).map(viewFavorite)
}

/** Renumbers positions, so removed favorites leave no gaps. */
function viewFavorite(favorite: StoredFavorite, position: number) {
  return {
    operation_id: favorite.operationId,
    service_slug: favorite.serviceSlug,
    operation_key: favorite.operationKey,
    position,
    created_at: isoTime(favorite.createdAt),
  }
}
