import type { Facts, LinkMedia } from '../../shared/planning/facts.ts'
import { estimateFactSeconds, estimatePlanSeconds } from '../../shared/planning/lanes.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { planPipeline } from '../../shared/planning/pipeline.ts'
import type { FramePass, SourceFrames } from '../../shared/planning/steps.ts'
import { estimateJobSeconds } from '../../shared/planning/typical-times.ts'
import { decodedFrames, framePass, refuseWork } from '../../shared/planning/work.ts'
import type { InputSize, Outcome } from '../../shared/protocol/job-report.ts'
import type { Environment } from '../environment.ts'
import { gatherAssets } from '../probe/assets.ts'
import { gatherFacts } from '../probe/index.ts'
import { explainFailure } from '../probe/support.ts'
import { refusalFailure } from '../runtime/failure.ts'
import { makeFolder, removeFolder } from '../runtime/folder.ts'
import type { Ceiling } from '../runtime/length.ts'
import { type Progress, startProgress } from '../runtime/progress.ts'
import { factsOf, readStages, type Stages } from '../runtime/read-stages.ts'
import { type Run, secondsSince } from '../runtime/run.ts'
import { traced } from '../runtime/trace.ts'
import { FETCHING_SHARE, weighFacts, weighPlan } from '../runtime/weights.ts'
import type { Measured } from '../steps/index.ts'
import { runPlan } from '../steps/plan.ts'
import { openCustomerStorage } from '../storage/customer-storage.ts'
import { openSource } from '../storage/source.ts'
import type { Storage } from '../storage/storage.ts'
import type { Attempt } from './attempt.ts'
import { checkRunTime } from './check-run-time.ts'
import { deliverResult } from './deliver.ts'
import { measureResult } from './measure-result.ts'
import { stepSecondsMax, type Workload, withTimeLimit } from './time-limit.ts'

export interface JobParts {
  environment: Environment
  storage: Storage
}

/**
 * Runs a job: download → facts → plan → steps → upload → export. Always removes its folder at the end.
 * @throws JobFailure if the file or the parameters are at fault; any other error is internal.
 */
export async function runJob(attempt: Attempt, parts: JobParts): Promise<Outcome> {
  const { dispatch, fence, signal } = attempt
  const stages = readStages(dispatch)
  const folder = await makeFolder(parts.environment.WORK_DIRECTORY, dispatch.job_id, fence)
  try {
    const { max_input_seconds, tier } = dispatch
    const ceiling = { max_input_seconds, tier }
    let waited_seconds = 0
    const reportWait = (seconds: number) => {
      waited_seconds += seconds
    }
    const customer_storage = openCustomerStorage(attempt, parts.environment)
    const run = { folder, signal, environment: parts.environment, ceiling, reportWait, customer_storage }
    const progress = startProgress(attempt.reportPercent)
    const { plan, measured, missing, input, typical_seconds } = await work(
      stages,
      attempt,
      run,
      parts.storage,
      progress,
    )
    const work_seconds = Math.max(0, secondsSince(attempt.picked_up_at) - waited_seconds)
    const body = { ...missing, ...(await measureResult(plan, measured, run)) }
    const { files, export_seconds } = await traced(
      'upload',
      { 'job.exports': dispatch.exports === true },
      () => deliverResult(plan, attempt, run, parts.storage, progress),
    )
    const processing_seconds = work_seconds + export_seconds
    return { status: 'done', processing_seconds, files, body, input, typical_seconds }
  } finally {
    await removeFolder(folder)
  }
}

interface Worked {
  plan: Plan
  measured: Measured
  missing: { missing_seconds?: number }
  input: InputSize
  typical_seconds: number
}

/** Gathers facts, makes the plan, and runs the steps. Leaves the remaining progress to the upload. */
async function work(
  stages: Stages,
  { dispatch, weigh, reportWeighed }: Attempt,
  run: Run,
  storage: Storage,
  progress: Progress,
): Promise<Worked> {
  const fact_names = factsOf(stages)
  const source = await traced('fetch', {}, () =>
    openSource(dispatch, fact_names, run, storage, progress.begin(FETCHING_SHARE)),
  )
  try {
    const reportFacts = progress.begin(weighFacts(fact_names, stages[0].operation.edit !== undefined))
    const weighLength = (seconds: number) => {
      const fact_seconds = estimateFactSeconds(fact_names, seconds)
      checkRunTime(fact_seconds, run.environment)
      weigh?.(fact_seconds)
    }
    const facts = await traced('probe', {}, () =>
      source.use((reading) => gatherFacts(fact_names, dispatch, reading, reportFacts, weighLength)),
    )
    const reportAssets = progress.begin(FETCHING_SHARE)
    const assets = await gatherAssets(stages, dispatch.assets, run, storage, reportAssets)
    const plan = makePlan(stages, { ...facts, assets }, dispatch)
    const duration_seconds = mediaOf(facts)?.duration_seconds ?? null
    const input = inputSizeOf(facts)
    const frames = sourceFrames(facts)
    const typical_seconds = estimateJobSeconds(stages, plan, input, frames)
    if (mediaOf(facts) !== undefined) checkRunTime(typical_seconds, run.environment)
    weigh?.(estimateFactSeconds(fact_names, duration_seconds ?? 0) + estimatePlanSeconds(plan, frames))
    reportWeighed?.()
    const size = await source.measureFor(plan, facts)
    const weights = weighPlan(plan, { ...size, duration_seconds })
    await source.prepareFor(plan, facts, progress.begin(weights.fetching))
    const reportSteps = progress.begin(weights.steps)
    const { JOB_SECONDS_MAX } = run.environment
    const seconds_max = Math.min(JOB_SECONDS_MAX, stepSecondsMax(plan, workloadOf(facts, size.bytes)))
    const working = source.use((reading) =>
      withTimeLimit(seconds_max, reading.signal, (signal) =>
        runPlan(plan, { ...reading, signal, declared_seconds: duration_seconds ?? undefined }, (percent) =>
          reportSteps(percent / 100),
        ),
      ),
    )
    const made = await working.catch((error: unknown) => {
      throw explainFailure(error, facts)
    })
    return { ...made, missing: missingSeconds(facts), input, typical_seconds }
  } finally {
    await source.close()
  }
}

function inputSizeOf(facts: Partial<Facts>): InputSize {
  const { image } = facts
  return {
    duration_seconds: mediaOf(facts)?.duration_seconds ?? null,
    megapixels: image === undefined ? null : (image.width * image.height * image.pages) / 1e6,
  }
}

/** Returns how much of a truncated input is missing. Other losses are found in the result (find-missing.ts). */
function missingSeconds({ probe }: Partial<Facts>): { missing_seconds?: number } {
  return probe?.missing_seconds === undefined ? {} : { missing_seconds: probe.missing_seconds }
}

/** Returns the media of a file or link, or undefined for images. */
function mediaOf({ probe, link }: Partial<Facts>): LinkMedia | undefined {
  return link?.media ?? probe
}

/** Returns null for images, which have their own time limit. */
function workloadOf(facts: Partial<Facts>, bytes: number): Workload | null {
  const media = mediaOf(facts)
  if (media === undefined) return null
  const { duration_seconds, audio } = media
  return { video: inputPass(facts), audio_seconds: duration_seconds * audio.length, bytes }
}

/**
 * Plans the job before any step runs.
 * @throws JobFailure parameter_refused if the plan is refused or exceeds the work limit of the tier.
 */
function makePlan(stages: Stages, facts: Facts, ceiling: Ceiling): Plan {
  const plan = planPipeline(stages, facts)
  if ('refused' in plan) throw refusalFailure(plan)
  const refusal = refuseWork(plan, inputPass(facts), ceiling)
  if (refusal !== null) throw refusalFailure(refusal)
  return plan
}

/** Returns the frames of the input, or null if it is not a video. */
function sourceFrames(facts: Partial<Facts>): SourceFrames | null {
  const video = mediaOf(facts)?.video
  return video == null ? null : decodedFrames(video)
}

function inputPass(facts: Partial<Facts>): FramePass | null {
  const media = mediaOf(facts)
  return media?.video == null ? null : framePass({ ...media, video: media.video })
}
