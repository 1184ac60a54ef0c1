import { readsAll } from '../../shared/ffmpeg/partial-reads.ts'
import type { FactName, Facts } from '../../shared/planning/facts.ts'
import { estimateFactSeconds, estimatePlanSeconds } from '../../shared/planning/lanes.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { estimateJobSeconds } from '../../shared/planning/typical-times.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { InputSize, Outcome } from '../../shared/protocol/job-report.ts'
import type { Environment } from '../environment.ts'
import { gatherAssets } from '../probe/assets.ts'
import { gatherFacts } from '../probe/index.ts'
import { explainFailure } from '../probe/support.ts'
import { makeFolder, removeFolder } from '../runtime/folder.ts'
import { type Progress, startProgress } from '../runtime/progress.ts'
import { factsOf, readStages, type Stages } from '../runtime/read-stages.ts'
import { type Run, secondsSince } from '../runtime/run.ts'
import { traced } from '../runtime/trace.ts'
import { FETCHING_SHARE, weighFacts, weighPlan } from '../runtime/weights.ts'
import { runPlan } from '../steps/plan.ts'
import { openCustomerStorage } from '../storage/customer-storage.ts'
import { openSource } from '../storage/source.ts'
import type { Storage } from '../storage/storage.ts'
import type { Attempt } from './attempt.ts'
import { checkRunTime } from './check-run-time.ts'
import { deliverResult } from './deliver.ts'
import { makePlan, mediaOf, sourceFrames, workloadOf } from './make-plan.ts'
import { type Spread, spreadEncode } from './spread.ts'
import { stepSecondsMax, withTimeLimit } from './time-limit.ts'

export interface JobParts {
  environment: Environment
  storage: Storage
}

/**
 * Runs a job: download → facts → plan → steps → upload → export. Always removes its folder at the end.
 * @throws JobFailure if the file or the parameters are at fault; any other error is internal.
 */
export async function runJob(attempt: Attempt, parts: JobParts): Promise<Outcome> {
  const { dispatch, fence, signal, waits } = attempt
  const stages = readStages(dispatch)
  const folder = await makeFolder(parts.environment.WORK_DIRECTORY, dispatch.job_id, fence)
  try {
    const { max_input_seconds, tier } = dispatch
    const ceiling = { max_input_seconds, tier }
    const customer_storage = openCustomerStorage(attempt, parts.environment)
    const run = { folder, signal, environment: parts.environment, ceiling, waits, customer_storage }
    const progress = startProgress(attempt.reportPercent)
    const { plan, measured, missing, input, typical_seconds, other_seconds, filename } = await work(
      stages,
      attempt,
      run,
      parts.storage,
      progress,
    )
    const own_seconds = secondsSince(attempt.picked_up_at) - waits.seconds()
    const work_seconds = Math.max(0, own_seconds + other_seconds)
    const { files, measurements, export_seconds } = await traced(
      'upload',
      { 'job.exports': dispatch.exports === true },
      () =>
        deliverResult(
          plan,
          measured,
          { ...attempt, dispatch: nameInput(dispatch, filename) },
          run,
          parts.storage,
          progress,
        ),
    )
    const body = { ...missing, ...measurements }
    const processing_seconds = work_seconds + export_seconds
    return { status: 'done', processing_seconds, files, body, input, typical_seconds }
  } finally {
    await removeFolder(folder)
  }
}

interface Worked extends Spread {
  missing: { missing_seconds?: number }
  input: InputSize
  typical_seconds: number
  /** Name that the server of an imported file gives it, if any. */
  filename: string | null
}

/** Names the input as its server does, unless the caller has named it. */
function nameInput(dispatch: Dispatch, filename: string | null): Dispatch {
  return filename === null || dispatch.is_named ? dispatch : { ...dispatch, filename }
}

/** Gathers facts, makes the plan, and runs the steps. Leaves the remaining progress to the upload. */
async function work(
  stages: Stages,
  attempt: Attempt,
  run: Run,
  storage: Storage,
  progress: Progress,
): Promise<Worked> {
  const { dispatch, weigh, reportWeighed } = attempt
  const fact_names = factsOf(stages)
  const source = await traced('fetch', {}, () =>
    openSource(dispatch, fact_names, run, storage, progress.begin(FETCHING_SHARE), readsAll(stages)),
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
      withTimeLimit(seconds_max, reading, (signal) =>
        runShared(
          plan,
          mayShare(dispatch, fact_names) ? duration_seconds : null,
          attempt,
          { ...reading, signal, declared_seconds: duration_seconds ?? undefined },
          storage,
          (percent) => reportSteps(percent / 100),
        ),
      ),
    )
    const made = await working.catch((error: unknown) => {
      throw explainFailure(error, facts)
    })
    return { ...made, missing: missingSeconds(facts), input, typical_seconds, filename: source.filename }
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

/** Runs the steps of a plan, with the help of other workers if it is a long encode. */
async function runShared(
  plan: Plan,
  shared_seconds: number | null,
  { dispatch, segments }: Attempt,
  run: Run,
  storage: Storage,
  reportPercent: (percent: number) => void,
): Promise<Spread> {
  const spread =
    segments === undefined || shared_seconds === null
      ? null
      : await spreadEncode(plan, shared_seconds, { dispatch, segments, storage }, run, reportPercent)
  return spread ?? { ...(await runPlan(plan, run, reportPercent)), other_seconds: 0 }
}

/** Checks that other workers can read the input and plan the job from it without listening to all of it. */
function mayShare({ source, assets }: Dispatch, facts: readonly FactName[]): boolean {
  return (
    source.kind === 'object' && Object.keys(assets).length === 0 && facts.every((name) => name === 'probe')
  )
}
