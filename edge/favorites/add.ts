import type { SessionCaller } from '../accounts/rules/caller.ts'
import { loadOperations } from '../catalog/queries.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalidField } from '../platform/errors/api-error.ts'
import { showFavorites } from './list.ts'
import { insertFavorite } from './queries.ts'

/** Names a tool by its id, by its service and operation keys, or by both if they match. */
export interface ToolName {
  operation_id?: number | undefined
  service_slug?: string | undefined
  operation_key?: string | undefined
}

/**
 * Pins a tool at the end of the list, or returns the existing favorite. Throws 404 for a disabled tool, and 422 if
 * the id and the keys name different tools.
 */
export async function addFavorite(deps: Deps, caller: SessionCaller, name: ToolName) {
  const now = deps.clock.now()
  const { operation_id } = name
  const tool = (await loadOperations(deps.db, now)).find((row) =>
    operation_id === undefined ? isAt(row, name) : row.id === operation_id,
  )
  if (tool !== undefined && !isAt(tool, name)) {
    throw invalidField('operation_id', 'tool_mismatch')
  }
  if (!tool?.enabled) throw new ApiError('tool_not_found')
  await insertFavorite(deps.db, caller.account.id, tool.id, now)
  const pin = (await showFavorites(deps, caller)).find((each) => each.operation_id === tool.id)
  if (pin === undefined) throw new ApiError('favorite_removed')
  return pin
}

interface ToolAddress {
  serviceSlug: string
  operationKey: string
}

/** Checks whether a tool has the given service and operation keys. A missing key matches any tool. */
function isAt(
  { serviceSlug, operationKey }: ToolAddress,
  { service_slug, operation_key }: ToolName,
): boolean {
  return (service_slug ?? serviceSlug) === serviceSlug && (operation_key ?? operationKey) === operationKey
}
