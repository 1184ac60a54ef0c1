import { findOperation } from '../../shared/operations/index.ts'
import type { FactName } from '../../shared/planning/facts.ts'
import { FACTS_OF_COPIES, type Stage } from '../../shared/planning/pipeline.ts'
import { validateParams } from '../../shared/planning/validate.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { refusalFailure } from './failure.ts'

/** The stages of a job: its operation and the operations in its pipeline, with validated params. */
export type Stages = [Stage, ...Stage[]]

/**
 * Reads the stages of a dispatch.
 * @throws JobFailure parameter_refused; Error for an operation that this fleet does not have.
 */
export function readStages(dispatch: Dispatch): Stages {
  const first = readStage(dispatch, dispatch)
  return [first, ...dispatch.pipeline.map((stage) => readStage(dispatch, stage))]
}

function readStage(
  { service_slug }: Pick<Dispatch, 'service_slug'>,
  { operation_key, params }: Pick<Dispatch, 'operation_key' | 'params'>,
): Stage {
  const operation = findOperation(service_slug, operation_key)
  if (operation === undefined) throw new Error(`unknown operation ${service_slug}/${operation_key}`)
  // An edge with another version may send an additional parameter.
  const known = Object.entries(params).filter(([key]) => key in operation.parameters.shape)
  const checked = validateParams(operation, Object.fromEntries(known))
  if ('refused' in checked) throw refusalFailure(checked)
  return { operation, params: checked.params }
}

/** Facts that other facts depend on. */
const FIRST: readonly FactName[] = ['probe', 'link']

/**
 * Returns the facts that the stages need, without duplicates and with dependencies first. A pipeline never copies a
 * part of the input, so it needs no facts about that.
 */
export function factsOf(stages: Stages): FactName[] {
  const requested = stages.flatMap(({ operation, params }) => {
    const unneededFacts = operation.unneededFacts?.(params) ?? []
    return operation.facts.filter((name) => !unneededFacts.includes(name))
  })
  const needed = stages.length > 1 ? requested.filter((name) => !FACTS_OF_COPIES.includes(name)) : requested
  return [...new Set(needed)].sort((one, other) => FIRST.indexOf(other) - FIRST.indexOf(one))
}
