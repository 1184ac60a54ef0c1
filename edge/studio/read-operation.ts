import { loadOperations } from '../catalog/queries.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalidField } from '../platform/errors/api-error.ts'

/** How the studio names an operation and sets it. */
export interface StudioOrder {
  operation_id?: number | undefined
  service_slug?: string | undefined
  operation_key?: string | undefined
  params: Record<string, unknown>
  preset?: number | undefined
}

/** A named operation with the params to run it by. */
export interface StudioOperation {
  service_slug: string
  operation_key: string
  params: Record<string, unknown>
}

/**
 * The operation by its id or its names, with the params given laid over those of the preset.
 * Throws 400 for an id that no operation has, 422 for a preset that it lacks. Contract: Studio, Studio run.
 */
export async function readStudioOrder(deps: Deps, order: StudioOrder): Promise<StudioOperation> {
  const rows = await loadOperations(deps.db, deps.clock.now())
  const row = rows.find(({ id, serviceSlug, operationKey }) =>
    order.operation_id === undefined
      ? serviceSlug === order.service_slug && operationKey === order.operation_key
      : id === order.operation_id,
  )
  if (order.operation_id !== undefined && row === undefined) {
    throw new ApiError('unknown_operation', { operation: String(order.operation_id) })
  }
  // What is named wrongly is refused in a submit's own words.
  const [service_slug, operation_key] =
    row === undefined
      ? [order.service_slug ?? '', order.operation_key ?? '']
      : [row.serviceSlug, row.operationKey]
  if (row === undefined || order.preset === undefined) {
    return { service_slug, operation_key, params: order.params }
  }
  const { presets } = row
  const preset = presets[order.preset]
  if (preset === undefined) {
    const operation = `${service_slug}/${operation_key}`
    throw invalidField('preset', 'preset_not_found', { operation, count: presets.length })
  }
  return { service_slug, operation_key, params: { ...preset.params, ...order.params } }
}
