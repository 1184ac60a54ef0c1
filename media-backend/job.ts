import type { Facts } from '../shared/operations/facts.ts'
import { findOperation } from '../shared/operations/index.ts'
import type { Operation, Plan, PlanRefusal } from '../shared/operations/operation.ts'
import { validateParams } from '../shared/operations/validate.ts'
import type { Outcome } from '../shared/protocol/callback.ts'
import type { Dispatch } from '../shared/protocol/dispatch.ts'
import type { Environment } from './environment.ts'
import { gatherFacts } from './facts/index.ts'
import { JobFailure } from './failure.ts'
import { makeFolder, removeFolder } from './folder.ts'
import { measureResult } from './measure.ts'
import { downloadSource } from './steps/download.ts'
import { runSteps } from './steps/index.ts'
import type { Storage } from './storage.ts'
import { uploadOutputs } from './upload.ts'

export interface JobParts {
  environment: Environment
  storage: Storage
}

/** One attempt at a job: what its steps need to know. */
export interface Attempt {
  dispatch: Dispatch
  fence: number
  picked_up_at: Date
  /** Aborted with WorkStopped, or with the JobFailure that the time limit is. */
  signal: AbortSignal
  tellProgress(percent: number): void
}

/**
 * The way of a job: download → facts → plan → steps → upload; in the end its folder is always removed.
 * @throws JobFailure when the file or the parameters are at fault; any other error when we are.
 */
export async function runJob(attempt: Attempt, parts: JobParts): Promise<Outcome> {
  const { dispatch, fence, signal } = attempt
  const { operation, params } = readOrder(dispatch)
  const folder = await makeFolder(parts.environment.WORK_DIRECTORY, dispatch.job_id, fence)
  try {
    const run = { folder, signal, environment: parts.environment }
    await downloadSource(dispatch.source, run, parts.storage)
    const facts = await gatherFacts(operation.facts, dispatch, run)
    const plan = makePlan(operation, params, facts)
    const measured = await runSteps(plan.steps, run, attempt.tellProgress)
    const processing_seconds = secondsSince(attempt.picked_up_at)
    const body = await measureResult(plan, measured, run)
    const files = await uploadOutputs(plan, attempt, folder, parts.storage)
    return { status: 'done', processing_seconds, files, body }
  } finally {
    await removeFolder(folder)
  }
}

/** What a step needs of the job that it works for. */
export interface Run {
  folder: string
  signal: AbortSignal
  environment: Environment
}

export function secondsSince(start: Date): number {
  return Math.max(0, Date.now() - start.getTime()) / 1000
}

function readOrder(dispatch: Dispatch): { operation: Operation; params: Record<string, unknown> } {
  const operation = findOperation(dispatch.service_slug, dispatch.operation_key)
  if (operation === undefined) {
    throw new Error(`this fleet doesn't know ${dispatch.service_slug}/${dispatch.operation_key}`)
  }
  const known = Object.entries(dispatch.params).filter(([key]) => key in operation.parameters.shape)
  const checked = validateParams(operation, Object.fromEntries(known))
  if ('refused' in checked) throw refusal(checked)
  return { operation, params: checked.params }
}

function makePlan(operation: Operation, params: Record<string, unknown>, facts: Facts): Plan {
  const plan = operation.plan({ params, facts })
  if ('refused' in plan) throw refusal(plan)
  return plan
}

function refusal({ refused: { field, message } }: PlanRefusal): JobFailure {
  const named = field === null || message.startsWith(field) ? message : `${field}: ${message}`
  return new JobFailure('parameter_refused', named.endsWith('.') ? named : `${named}.`)
}
