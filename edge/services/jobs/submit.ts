import type { Dispatch } from '../../../shared/protocol/dispatch.ts'
import { loadCredits } from '../../db/credits.ts'
import { insertJobStatements, newJob } from '../../db/jobs.ts'
import { effectStatement } from '../../db/outbox.ts'
import { loadSettings } from '../../db/settings.ts'
import type { Deps } from '../../deps.ts'
import { type AccountCaller, sourceOf, type Tier } from '../../rules/caller.ts'
import { charge } from '../../rules/ledger.ts'
import type { Settings } from '../../rules/settings.ts'
import { inputSecondsMax, priorityOf, tariffOf } from '../../rules/submission.ts'
import { ApiError } from '../api-error.ts'
import { changeCredits } from '../credits/settle.ts'
import { dispatchEffect, sendDispatches } from '../outbox/dispatch.ts'
import { type Order, readOrder, type Submission } from './order.ts'
import { viewJob } from './view.ts'

/**
 * Takes a job: checks it, charges the base, and writes job, charge and dispatch in one commit; the
 * dispatch goes out after it, and again by the scheduled handler until the fleet has taken it.
 * Throws 400 and 404 before anything is charged, and 402. Specification: Job, submit.
 */
export async function submitJob(
  deps: Deps,
  caller: AccountCaller,
  submission: Submission,
  { repeatOf = null }: { repeatOf?: string | null } = {},
) {
  const reading = readOrder(deps, caller, submission)
  // It is awaited where the credits are loaded; until then its refusal has nobody to go to.
  reading.catch(() => undefined)
  const settings = await loadSettings(deps.db, deps.clock.now())
  const accountId = caller.account.id
  const { job, message } = await changeCredits(
    deps,
    accountId,
    async () => {
      const [order, loaded] = await Promise.all([reading, loadCredits(deps.db, accountId)])
      return { order, loaded }
    },
    ({ order, loaded }, settled, now) => {
      const message = makeDispatch(order, settings, loaded.paid_plan ? 'paid' : 'free')
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
        dispatch: message,
        source: sourceOf(caller),
        estimatedCost: base_credits,
        createdAt: now,
      })
      const effect = effectStatement(deps.db, dispatchEffect(message), now)
      return { change, statements: [...insertJobStatements(deps.db, job), effect], answer: { job, message } }
    },
  )
  deps.defer(sendDispatches(deps, [message]))
  return viewJob(deps, job)
}

function makeDispatch(order: Order, settings: Settings, tier: Tier): Dispatch {
  return {
    ...order,
    job_id: crypto.randomUUID(),
    dispatch: 1,
    hold_ms: 0,
    max_input_seconds: inputSecondsMax(settings, tier),
    tier,
    priority: priorityOf(tier),
  }
}
