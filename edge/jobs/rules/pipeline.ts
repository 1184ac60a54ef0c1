import type { AssetRequest, Operation } from '../../../shared/planning/operation.ts'
import { refuseStages, type Stage } from '../../../shared/planning/pipeline.ts'
import { validateParams } from '../../../shared/planning/validate.ts'
import { PIPELINE_STAGES_MAX } from '../../../shared/protocol/dispatch.ts'
import { unpackTexts } from '../../../shared/text/texts.ts'
import type { Refusal } from '../../platform/errors/rules/table.ts'

/** Params that every operation accepts in addition to its own. */
const ENVELOPE_KEYS = ['file_url', 'filename', 'operations']

export type StagesRefusal = { refused: Refusal<'invalid_params' | 'operation_takes_link'> }

/**
 * Splits a submission into stages and validates each one: first the operation with its own parameters, then the
 * operations listed in params.operations. Contract: Catalog, Pipelines.
 * @param find returns the enabled operation of the same service with the given key.
 */
export function readStages(
  operation: Operation,
  params: Record<string, unknown>,
  find: (key: string) => Operation | undefined,
): { stages: [Stage, ...Stage[]] } | StagesRefusal {
  const fileRefusal = params.file_url === undefined ? null : refuseFile(operation)
  if (fileRefusal !== null) return { refused: fileRefusal }
  const first = readStage(operation, ownParameters(operation, params), '')
  if ('refused' in first) return first
  const following = params.operations ?? []
  if (!Array.isArray(following) || following.length > PIPELINE_STAGES_MAX) {
    return refused('operations', `operations: must be a list of at most ${PIPELINE_STAGES_MAX} operations`)
  }
  if (operation.requiresPipeline && following.length === 0) {
    return refused(
      'operations',
      `operations: is missing; ${operation.key} carries out the operations listed there`,
    )
  }
  const stages: [Stage, ...Stage[]] = [first]
  for (const [index, entry] of following.entries()) {
    const stage = readFollowing(entry, `operations.${index}`, find)
    if ('refused' in stage) return stage
    stages.push(stage)
  }
  const refusal = refuseStages(stages)
  return refusal === null ? { stages } : refused('operations', `operations: ${refusal.refused.message}`)
}

/** Refuses a file for a link operation, which reads a URL instead. Returns null for all other operations. */
export function refuseFile({ service, key, accepts }: Operation): Refusal<'operation_takes_link'> | null {
  if (!accepts.includes('link')) return null
  return { code: 'operation_takes_link', facts: { operation: `${service}/${key}` } }
}

function ownParameters({ accepts }: Operation, params: Record<string, unknown>): Record<string, unknown> {
  const isLink = accepts.includes('link')
  return Object.fromEntries(
    Object.entries(params).filter(([key]) => !ENVELOPE_KEYS.includes(key) || (isLink && key === 'url')),
  )
}

function readFollowing(
  entry: unknown,
  place: string,
  find: (key: string) => Operation | undefined,
): Stage | StagesRefusal {
  if (!isRecord(entry)) return refused(place, `${place}: must be an object with operation_key and params`)
  const { operation_key, params = {}, ...others } = entry
  const [stray] = Object.keys(others)
  if (stray !== undefined) return refused(place, `${place}: only operation_key and params are allowed`)
  const operation = typeof operation_key === 'string' ? find(operation_key) : undefined
  if (operation === undefined) {
    return refused(`${place}.operation_key`, `${place}.operation_key: is not an operation of this service`)
  }
  if (!isRecord(params)) return refused(`${place}.params`, `${place}.params must be a JSON object`)
  return readStage(operation, params, `${place}.params.`)
}

function readStage(
  operation: Operation,
  params: Record<string, unknown>,
  place: string,
): Stage | StagesRefusal {
  const checked = validateParams(operation, params)
  if ('refused' in checked) {
    const { field, message } = checked.refused
    return refused(field === null ? place.replace(/\.$/, '') : place + field, place + message)
  }
  return { operation, params: checked.params }
}

/** Returns the files that a stage requests by URL in addition to its input. */
export function assetsOf({ operation, params }: Stage): AssetRequest[] {
  return operation.assets?.(params) ?? []
}

/** @param field the path of the invalid parameter within `params`. */
function refused(field: string, reason: string): StagesRefusal {
  return {
    refused: {
      code: 'invalid_params',
      facts: { param: field === '' ? 'params' : `params.${field}`, reason: unpackTexts(reason) },
    },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
