import { loadOperations } from '../catalog/queries.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalidField } from '../platform/errors/api-error.ts'

/** The operation and its parameters as named in a studio request. */
export interface StudioSelection {
  operation_id?: number | undefined
  service_slug?: string | undefined
  operation_key?: string | undefined
  params: Record<string, unknown>
  preset?: number | undefined
}

/** An operation and the params to run it with. */
export interface StudioOperation {
  service_slug: string
  operation_key: string
  params: Record<string, unknown>
}

/**
 * Finds the operation by id or by service and key, and merges the given params over those of the preset. Throws 400
 * for an unknown id and 422 for an unknown preset. Contract: Studio, Studio run.
 */
export async function readStudioSelection(deps: Deps, order: StudioSelection): Promise<StudioOperation> {
  const rows = await loadOperations(deps.db, deps.clock.now())
  const row = rows.find(({ id, serviceSlug, operationKey }) =>
    order.operation_id === undefined
      ? serviceSlug === order.service_slug && operationKey === order.operation_key
      : id === order.operation_id,
  )
  if (order.operation_id !== undefined && row === undefined) {
    throw new ApiError('unknown_operation', { operation: String(order.operation_id) })
  }
  // Unknown keys pass through so that job submission can report them with its usual error.
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
