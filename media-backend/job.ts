import type { Facts } from '../shared/operations/facts.ts'
import type { Plan } from '../shared/operations/operation.ts'
import { planPipeline } from '../shared/operations/pipeline.ts'
import { SOURCE } from '../shared/operations/steps.ts'
import type { Outcome } from '../shared/protocol/callback.ts'
import type { Dispatch } from '../shared/protocol/dispatch.ts'
import type { Environment } from './environment.ts'
import { gatherAssets } from './facts/assets.ts'
import { gatherFacts } from './facts/index.ts'
import { refusalFailure } from './failure.ts'
import { makeFolder, removeFolder } from './folder.ts'
import { measureResult } from './measure.ts'
import { factsOf, readStages, type Stages, shareOfFacts } from './order.ts'
import { downloadFile } from './steps/download.ts'
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
  const stages = readStages(dispatch)
  const folder = await makeFolder(parts.environment.WORK_DIRECTORY, dispatch.job_id, fence)
  try {
    const run = { folder, signal, environment: parts.environment }
    // What is behind a link is fetched as a fact, when it is known what there is.
    if (dispatch.source.kind !== 'link') await downloadFile(dispatch.source, SOURCE, run, parts.storage)
    const wanted = factsOf(stages)
    const facts_percent = shareOfFacts(stages, wanted) * 100
    const measured_facts = await gatherFacts(wanted, dispatch, run, (share) =>
      attempt.tellProgress(share * facts_percent),
    )
    const assets = await gatherAssets(stages, dispatch.assets, run, parts.storage)
    const plan = makePlan(stages, { ...measured_facts, assets })
    const measured = await runSteps(plan.steps, run, (percent) =>
      attempt.tellProgress(facts_percent + percent * (1 - facts_percent / 100)),
    )
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

function makePlan(stages: Stages, facts: Facts): Plan {
  const plan = planPipeline(stages, facts)
  if ('refused' in plan) throw refusalFailure(plan)
  return plan
}
