import type { Stage } from '../../shared/planning/pipeline.ts'
import { type AccountCaller, tierOf } from '../accounts/rules/caller.ts'
import { settleAccount } from '../credits/change-credits.ts'
import type { Deps } from '../deps.ts'
import { loadSettings } from '../settings/queries.ts'
import { findKnownLength } from './known-length.ts'
import { checkJobPlan, type Submission } from './make-plans.ts'
import { loadProcessingRates } from './processing-rate-queries.ts'
import { assumedSeconds, estimateJob, type GivenSize } from './rules/estimate.ts'
import { inputSecondsMax, tariffOf } from './rules/submission.ts'

/** Input for a quote: a submission and, if known, the length or the pixels of its input. */
type QuoteRequest = Submission & {
  duration_seconds?: number | undefined
  megapixels?: number | undefined
}

/**
 * Quotes a job: the base price, the tariff's maximum price, and an estimate from the processing times of recent
 * jobs. Also returns the maximum input length and whether the given length exceeds it. Charges nothing. Throws 400
 * and 404 like submitJob.
 */
export async function quoteJob(
  deps: Deps,
  caller: AccountCaller,
  { duration_seconds, megapixels, ...submission }: QuoteRequest,
) {
  const { stages } = await checkJobPlan(deps, submission)
  const now = deps.clock.now()
  const { file_url } = submission.params
  const [settings, { balance }, rates, known_seconds] = await Promise.all([
    loadSettings(deps.db, now),
    settleAccount(deps, caller.account.id),
    loadProcessingRates(deps.db, now),
    duration_seconds ?? findKnownLength(deps, caller, file_url),
  ])
  const tariff = tariffOf(settings)
  const { base_credits, max_credits } = tariff
  const has_length = hasLength(stages[0])
  const assumed = has_length ? (known_seconds ?? assumedSeconds(stages)) : null
  const size = sizeGiven(stages[0], { duration_seconds: assumed, megapixels })
  const max_duration_seconds = has_length ? inputSecondsMax(settings, tierOf(caller, now)) : null
  return {
    base_credits,
    max_credits: Math.max(base_credits, max_credits),
    balance,
    affordable: balance >= base_credits,
    max_duration_seconds,
    too_long: max_duration_seconds !== null && (known_seconds ?? 0) > max_duration_seconds,
    assumed_duration_seconds: assumed,
    ...estimateJob(stages, rates, size, tariff),
  }
}

/** Returns the size of the input that counts for the operation, as far as the request describes it. */
function sizeGiven(
  stage: Stage,
  { duration_seconds = null, megapixels = null }: { [Name in keyof GivenSize]?: number | null | undefined },
): GivenSize {
  const isImage = stage.operation.accepts.includes('image')
  return {
    duration_seconds: hasLength(stage) ? duration_seconds : null,
    megapixels: isImage ? megapixels : null,
  }
}

/**
 * Checks whether the input has a length. The input of a link operation has one only if the operation fetches media,
 * not just metadata.
 */
function hasLength({ operation, params }: Stage): boolean {
  const fetched = operation.link?.(params).media
  return operation.accepts.includes('video') || fetched === 'video' || fetched === 'audio'
}
