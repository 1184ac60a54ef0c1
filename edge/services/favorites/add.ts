import { loadOperations } from '../../db/catalogue.ts'
import { insertFavorite } from '../../db/favorites.ts'
import type { Deps } from '../../deps.ts'
import type { SessionCaller } from '../../rules/caller.ts'
import { ApiError } from '../api-error.ts'
import { showFavorites } from './list.ts'

/** A tool by its id, or by its address. */
export type ToolName = { operation_id: number } | { service_slug: string; operation_key: string }

/** Pins a tool behind the others, or answers the pin that is there. Throws 404 for one that is not live. */
export async function addFavorite(deps: Deps, caller: SessionCaller, name: ToolName) {
  const now = deps.clock.now()
  const tool = (await loadOperations(deps.db, now)).find((row) =>
    'operation_id' in name
      ? row.id === name.operation_id
      : row.serviceSlug === name.service_slug && row.operationKey === name.operation_key,
  )
  if (!tool?.enabled) throw new ApiError(404, 'no live studio tool has this name')
  await insertFavorite(deps.db, caller.account.id, tool.id, now)
  const pin = (await showFavorites(deps, caller)).find(({ operation_id }) => operation_id === tool.id)
  if (pin === undefined) throw new ApiError(409, 'the pin was removed at the same moment')
  return pin
}
