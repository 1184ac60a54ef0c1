import type { Stage } from '../../shared/planning/pipeline.ts'
import { type AccountCaller, tierOf } from '../accounts/rules/caller.ts'
import { settleAccount } from '../credits/change-credits.ts'
import type { Deps } from '../deps.ts'
import { loadSettings } from '../settings/queries.ts'
import { checkJobPlan, type Submission } from './make-plans.ts'
import { inputSecondsMax, tariffOf } from './rules/submission.ts'

/** Input of a quote: a submission, and the length of its input if known. */
type QuoteRequest = Submission & { duration_seconds?: number | undefined }

/**
 * Quotes a job: the base price, and the maximum price of the tariff, because processing time is unknown in
 * advance. Also returns which input length would be refused. Charges nothing. Throws 400 and 404 like a
 * submit.
 */
export async function quoteJob(
  deps: Deps,
  caller: AccountCaller,
  { duration_seconds = 0, ...submission }: QuoteRequest,
) {
  const { stages } = await checkJobPlan(deps, submission)
  const now = deps.clock.now()
  const [settings, { balance }] = await Promise.all([
    loadSettings(deps.db, now),
    settleAccount(deps, caller.account.id),
  ])
  const { base_credits, max_credits } = tariffOf(settings)
  const max_duration_seconds = hasLength(stages[0]) ? inputSecondsMax(settings, tierOf(caller, now)) : null
  return {
    base_credits,
    max_credits: Math.max(base_credits, max_credits),
    balance,
    affordable: balance >= base_credits,
    max_duration_seconds,
    too_long: max_duration_seconds !== null && duration_seconds > max_duration_seconds,
  }
}

/** Checks whether a link operation fetches media, which has a length, and not only metadata. */
function hasLength({ operation, params }: Stage): boolean {
  const fetched = operation.link?.(params).media
  return operation.accepts.includes('video') || fetched === 'video' || fetched === 'audio'
}
