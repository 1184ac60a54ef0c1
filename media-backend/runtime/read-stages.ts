import { findOperation } from '../../shared/operations/index.ts'
import type { FactName } from '../../shared/planning/facts.ts'
import type { Stage } from '../../shared/planning/pipeline.ts'
import { validateParams } from '../../shared/planning/validate.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { refusalFailure } from './failure.ts'

/** A job's stages: its operation and those that continue it, their params checked once more. */
export type Stages = [Stage, ...Stage[]]

/** @throws JobFailure parameter_refused; Error for an operation that this fleet doesn't have. */
export function readStages(dispatch: Dispatch): Stages {
  const first = readStage(dispatch, dispatch)
  return [first, ...dispatch.pipeline.map((stage) => readStage(dispatch, stage))]
}

function readStage(
  { service_slug }: Pick<Dispatch, 'service_slug'>,
  { operation_key, params }: Pick<Dispatch, 'operation_key' | 'params'>,
): Stage {
  const operation = findOperation(service_slug, operation_key)
  if (operation === undefined) throw new Error(`this fleet doesn't know ${service_slug}/${operation_key}`)
  // An edge of another version may know a parameter more.
  const known = Object.entries(params).filter(([key]) => key in operation.parameters.shape)
  const checked = validateParams(operation, Object.fromEntries(known))
  if ('refused' in checked) throw refusalFailure(checked)
  return { operation, params: checked.params }
}

/** Facts that others build on, in their order. */
const FIRST: readonly FactName[] = ['probe', 'link']

/** The facts that any of the stages wants, each once, those that others build on first. A pipeline makes no copy of a part. */
export function factsOf(stages: Stages): FactName[] {
  const requested = stages.flatMap(({ operation, params }) => {
    const unneededFacts = operation.unneededFacts?.(params) ?? []
    return operation.facts.filter((name) => !unneededFacts.includes(name))
  })
  const needed = stages.length > 1 ? requested.filter((name) => name !== 'lead_seconds') : requested
  return [...new Set(needed)].sort((one, other) => FIRST.indexOf(other) - FIRST.indexOf(one))
}
