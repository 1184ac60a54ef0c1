import { findOperation } from '../../shared/operations/index.ts'
import type { Operation, Preset, ServiceSlug } from '../../shared/planning/operation.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import {
  changeOperationStatement,
  forgetOperations,
  readOperations,
  type StoredOperation,
} from '../catalog/queries.ts'
import type { Deps } from '../deps.ts'
import { findPresetFault } from '../jobs/rules/presets.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { administer } from './audit.ts'

export interface OperationChange {
  enabled?: boolean | undefined
  credits_per_call?: number | undefined
  presets?: Preset[] | undefined
}

/** Lists all operations, enabled or not, with the administrators' overrides. */
export async function listOperations(deps: Deps) {
  return (await readOperations(deps.db)).flatMap((row) => {
    const operation = operationOf(row)
    return operation === undefined ? [] : [viewOperation(row, operation)]
  })
}

/** Changes an operation. Throws 404 if the operation is unknown and 422 if a preset is invalid. */
export async function changeOperation(
  deps: Deps,
  caller: SessionCaller,
  id: number,
  change: OperationChange,
) {
  const answer = await administer(deps, caller, {
    load: () => readOperations(deps.db),
    decide: (rows) => {
      const row = rows.find((candidate) => candidate.id === id)
      const operation = row && operationOf(row)
      if (row === undefined || operation === undefined) throw new ApiError('operation_not_found')
      const fault = findPresetFault(operation, change.presets ?? [])
      if (fault !== null) {
        throw new ApiError('validation_failed', { faults: [fault] })
      }
      const next = {
        ...row,
        enabled: change.enabled ?? row.enabled,
        creditsPerCall: change.credits_per_call ?? row.creditsPerCall,
        presets: change.presets ?? row.presets,
      }
      const [before, after] = [viewOperation(row, operation), viewOperation(next, operation)]
      const entry = { action: 'operation.change', target: `operation:${id}`, before, after }
      const isSame = JSON.stringify(before) === JSON.stringify(after)
      return {
        statements: [changeOperationStatement(deps.db, next)],
        entries: isSame ? [] : [entry],
        answer: after,
      }
    },
  })
  forgetOperations(deps.db)
  return answer
}

function operationOf({ serviceSlug, operationKey }: StoredOperation): Operation | undefined {
  return findOperation(serviceSlug as ServiceSlug, operationKey)
}

function viewOperation(row: StoredOperation, { title }: Operation) {
  return {
    operation_id: row.id,
    service_slug: row.serviceSlug,
    operation_key: row.operationKey,
    title,
    enabled: row.enabled,
    credits_per_call: row.creditsPerCall,
    presets: row.presets,
  }
}
