import type { Dispatch } from '../../../shared/protocol/dispatch.ts'
import { creditsFrom, creditsQueries } from '../../db/credits.ts'
import { insertJobStatements, newJob, openJobsQuery } from '../../db/jobs.ts'
import { effectStatement } from '../../db/outbox.ts'
import { loadSettings } from '../../db/settings.ts'
import { keepUploadsStatements } from '../../db/uploads.ts'
import type { Deps } from '../../deps.ts'
import { type AccountCaller, sourceOf, type Tier } from '../../rules/caller.ts'
import { uploadKeysOf } from '../../rules/files.ts'
import { charge } from '../../rules/ledger.ts'
import { type Limits, limitsOf } from '../../rules/limits.ts'
import type { Settings } from '../../rules/settings.ts'
import { inputSecondsMax, tariffOf } from '../../rules/submission.ts'
import { isRunning } from '../../rules/terms.ts'
import { ApiError } from '../api-error.ts'
import { changeCredits } from '../credits/settle.ts'
import { dispatchEffect, sendDispatches } from '../outbox/dispatch.ts'
import { type RecordAnswer, recordNothing } from '../record-answer.ts'
import { requireSafeWebhook } from '../webhooks/address.ts'
import { type Order, readOrder, type Submission } from './order.ts'
import { viewJob } from './view.ts'

/** However long a job waits for its turn, its input is not to be gone by then. */
const UPLOADS_KEPT_MS = 6 * 60 * 60 * 1000

/**
 * Takes a job: checks it, charges the base, and writes job, charge and dispatch in one commit; the
 * dispatch goes out after it, and again by the scheduled handler until the fleet has taken it.
 * Throws 400, 404 and 422 (an unsafe webhook_url) before anything is charged, 402, and
 * 429 with too many open jobs. Specification: Job, submit; Errors.
 */
export async function submitJob(
  deps: Deps,
  caller: AccountCaller,
  submission: Submission,
  { repeatOf = null, record = recordNothing }: { repeatOf?: string | null; record?: RecordAnswer } = {},
) {
  const reading = readSubmission(deps, caller, submission)
  // It is awaited where the credits are loaded; until then its refusal has nobody to go to.
  reading.catch(() => undefined)
  const settings = await loadSettings(deps.db, deps.clock.now())
  const accountId = caller.account.id
  const { job, message } = await changeCredits(
    deps,
    accountId,
    async () => {
      const [order, [open, ...credits]] = await Promise.all([
        reading,
        deps.db.batch([openJobsQuery(deps.db, accountId), ...creditsQueries(deps.db, accountId)]),
      ])
      return { order, open: open[0]?.total ?? 0, loaded: creditsFrom(accountId, credits) }
    },
    ({ order, open, loaded }, settled, now) => {
      const plan = isRunning(loaded.term, now) ? loaded.term : null
      const tier = plan === null ? 'free' : 'paid'
      const limits = limitsOf(settings, tier, plan?.limits ?? null)
      requireRoom(open, limits)
      const message = makeDispatch(order, settings, tier, limits)
      const { job_id } = message
      const { base_credits } = tariffOf(settings)
      const change = charge(settled, base_credits, { cause: `job:${job_id}:base`, job_id })
      if (change === null) throw new ApiError(402, 'not enough credits')
      const job = newJob({
        id: job_id,
        repeatOf,
        accountId,
        keyId: caller.kind === 'key' ? caller.key.id : null,
        serviceSlug: message.service_slug,
        operationKey: message.operation_key,
        params: submission.params,
        webhookUrl: submission.webhook_url ?? null,
        dispatch: message,
        source: sourceOf(caller),
        estimatedCost: base_credits,
        createdAt: now,
      })
      const effect = effectStatement(deps.db, dispatchEffect(message), now)
      const kept = keepUploadsStatements(deps.db, uploadKeysOf(order), now + UPLOADS_KEPT_MS)
      const recorded = record(viewJob(deps, job))
      const statements = [...insertJobStatements(deps.db, job), effect, ...kept, ...recorded]
      return { change, statements, answer: { job, message } }
    },
  )
  deps.defer(sendDispatches(deps, [message]))
  return viewJob(deps, job)
}

async function readSubmission(deps: Deps, caller: AccountCaller, submission: Submission): Promise<Order> {
  const { webhook_url } = submission
  const [order] = await Promise.all([
    readOrder(deps, caller, submission),
    webhook_url ? requireSafeWebhook(deps, webhook_url) : undefined,
  ])
  return order
}

/** Until a job is likely to have ended. */
const ROOM_SECONDS = '10'

/** Every submit of an account moves its ledger on, so no two of them go by the same count. Throws 429. */
function requireRoom(open: number, { in_flight_max }: Limits): void {
  if (open < in_flight_max) return
  throw new ApiError(
    429,
    `too many jobs in flight: ${open} are open and your plan allows ${in_flight_max}; wait for one to end`,
    { 'Retry-After': ROOM_SECONDS },
  )
}

function makeDispatch(order: Order, settings: Settings, tier: Tier, limits: Limits): Dispatch {
  return {
    ...order,
    job_id: crypto.randomUUID(),
    dispatch: 1,
    hold_ms: limits.hold_ms,
    max_input_seconds: inputSecondsMax(settings, tier),
    tier,
    priority: limits.priority,
  }
}
