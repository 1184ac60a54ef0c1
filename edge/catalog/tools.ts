import { findOperation } from '../../shared/operations/index.ts'
import type { Operation, ServiceSlug } from '../../shared/planning/operation.ts'
import { suggestName } from '../../shared/planning/suggest.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadOperations, type StoredOperation } from './queries.ts'

/** An operation with the administrators' changes applied. */
export interface LiveOperation {
  operation: Operation
  row: StoredOperation
}

/** Names under which other APIs run several operations. */
const PIPELINE_NAMES: ReadonlySet<string> = new Set(['pipeline', 'chain', 'workflow', 'operations'])

/** Finds an enabled operation. Throws 404 for an unknown service and 400 for an unknown or disabled operation. */
export async function findLiveOperation(deps: Deps, service: string, key: string): Promise<LiveOperation> {
  const rows = await loadOperations(deps.db, deps.clock.now())
  const ofService = rows.filter((row) => row.serviceSlug === service)
  if (ofService.length === 0) {
    const suggestion = suggestName(
      service,
      rows.map((row) => row.serviceSlug),
    )
    throw new ApiError('unknown_service', { service, suggestion })
  }
  const row = ofService.find((candidate) => candidate.operationKey === key)
  const operation = row && findOperation(service as ServiceSlug, key)
  const name = `${service}/${key}`
  if (row === undefined || operation === undefined) {
    const suggestion = suggestName(
      key,
      ofService.map(({ operationKey }) => operationKey),
    )
    const namesake = rows.find(({ operationKey, enabled }) => operationKey === key && enabled)
    throw new ApiError('unknown_operation', {
      operation: name,
      suggestion,
      elsewhere: namesake && `${namesake.serviceSlug}/${key}`,
      is_pipeline: PIPELINE_NAMES.has(key),
    })
  }
  if (!row.enabled) throw new ApiError('operation_disabled', { operation: name })
  return { operation, row }
}

/** Lists all enabled operations. */
export async function listLiveOperations(deps: Deps): Promise<ReadonlySet<Operation>> {
  const rows = await loadOperations(deps.db, deps.clock.now())
  const live = rows.filter(({ enabled }) => enabled)
  const found = live.map((row) => findOperation(row.serviceSlug as ServiceSlug, row.operationKey))
  return new Set(found.filter((operation) => operation !== undefined))
}
