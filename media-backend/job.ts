import type { Facts } from '../shared/operations/facts.ts'
import type { Plan } from '../shared/operations/operation.ts'
import { planPipeline } from '../shared/operations/pipeline.ts'
import type { Outcome } from '../shared/protocol/callback.ts'
import type { Dispatch } from '../shared/protocol/dispatch.ts'
import type { Environment } from './environment.ts'
import { gatherAssets } from './facts/assets.ts'
import { gatherFacts } from './facts/index.ts'
import type { Ceiling } from './facts/length.ts'
import { refusalFailure } from './failure.ts'
import { makeFolder, removeFolder } from './folder.ts'
import { measureResult } from './measure.ts'
import { factsOf, readStages, type Stages, shareOfFacts } from './order.ts'
import { openSource } from './source/open.ts'
import { type Measured, runSteps } from './steps/index.ts'
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
    const { max_input_seconds, tier } = dispatch
    const ceiling = { max_input_seconds, tier }
    const run = { folder, signal, environment: parts.environment, ceiling }
    const { plan, measured } = await work(stages, attempt, run, parts.storage)
    const processing_seconds = secondsSince(attempt.picked_up_at)
    const body = await measureResult(plan, measured, run)
    const files = await uploadOutputs(plan, attempt, folder, parts.storage)
    return { status: 'done', processing_seconds, files, body }
  } finally {
    await removeFolder(folder)
  }
}

/** Facts → plan → steps, on the input wherever it lies. */
async function work(
  stages: Stages,
  { dispatch, tellProgress }: Attempt,
  run: Run,
  storage: Storage,
): Promise<{ plan: Plan; measured: Measured }> {
  const wanted = factsOf(stages)
  const facts_percent = shareOfFacts(stages, wanted) * 100
  const source = await openSource(dispatch, wanted, run, storage)
  try {
    const facts = await source.use((reading) =>
      gatherFacts(wanted, dispatch, reading, (share) => tellProgress(share * facts_percent)),
    )
    const assets = await gatherAssets(stages, dispatch.assets, run, storage)
    const plan = makePlan(stages, { ...facts, assets })
    await source.prepareFor(plan, facts)
    const measured = await source.use((reading) =>
      runSteps(plan.steps, { ...reading, ...claimOf(facts) }, (percent) =>
        tellProgress(facts_percent + percent * (1 - facts_percent / 100)),
      ),
    )
    return { plan, measured }
  } finally {
    await source.close()
  }
}

/** What a step needs of the job that it works for. */
export interface Run {
  folder: string
  /** Where ffmpeg reads SOURCE by ranges while it isn't in the folder. */
  source_url?: string
  signal: AbortSignal
  environment: Environment
  /** What the input may last; absent: anything. A header may lie, so that it is watched while it is read. */
  ceiling?: Ceiling
  /** What the input's header says that it lasts, where that is known. */
  claimed_seconds?: number
}

function claimOf({ probe, link }: Partial<Facts>): Pick<Run, 'claimed_seconds'> {
  const media = link?.media ?? probe
  return media === undefined ? {} : { claimed_seconds: media.duration_seconds }
}

export function secondsSince(start: Date): number {
  return Math.max(0, Date.now() - start.getTime()) / 1000
}

function makePlan(stages: Stages, facts: Facts): Plan {
  const plan = planPipeline(stages, facts)
  if ('refused' in plan) throw refusalFailure(plan)
  return plan
}
