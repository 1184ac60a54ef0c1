import { validateParams } from '../../../shared/operations/fields.ts'
import type { Dispatch } from '../../../shared/protocol/dispatch.ts'
import { loadCredits } from '../../db/credits.ts'
import { insertJobStatements, newJob } from '../../db/jobs.ts'
import { effectStatement } from '../../db/outbox.ts'
import { loadSettings } from '../../db/settings.ts'
import type { Deps } from '../../deps.ts'
import { type AccountCaller, sourceOf } from '../../rules/caller.ts'
import { charge } from '../../rules/ledger.ts'
import { inputSecondsMax, ownParameters, priorityOf, tariffOf } from '../../rules/submission.ts'
import { ApiError } from '../api-error.ts'
import { findLiveOperation, type LiveOperation } from '../catalogue/tools.ts'
import { changeCredits } from '../credits/settle.ts'
import { dispatchEffect, sendDispatches } from '../outbox/dispatch.ts'
import { findInput, type JobInput } from './input.ts'
import { viewJob } from './view.ts'

export interface Submission {
  service_slug: string
  operation_key: string
  params: Record<string, unknown>
}

/**
 * Takes a job: checks it, charges the base, and writes job, charge and dispatch in one commit; the
 * dispatch goes out after it, and again by the scheduled handler until the fleet has taken it.
 * Throws 400 and 404 before anything is charged, and 402. Specification: Job, submit.
 */
export async function submitJob(deps: Deps, caller: AccountCaller, submission: Submission) {
  const live = await findLiveOperation(deps, submission.service_slug, submission.operation_key)
  const params = checkParams(live, submission.params)
  const settings = await loadSettings(deps.db, deps.clock.now())
  const accountId = caller.account.id
  const input = findInput(deps, caller, live.operation, submission.params.file_url)
  const { job, message } = await changeCredits(
    deps,
    accountId,
    async () => {
      const [loaded, found] = await Promise.all([loadCredits(deps.db, accountId), input])
      return { loaded, found }
    },
    ({ loaded, found }, settled, now) => {
      const tier = loaded.paid_plan ? 'paid' : 'free'
      const message = makeDispatch(live, params, found, {
        max_input_seconds: inputSecondsMax(settings, tier),
        tier,
        priority: priorityOf(tier),
      })
      const { base_credits } = tariffOf(settings)
      const change = charge(settled, base_credits, {
        cause: `job:${message.job_id}:base`,
        job_id: message.job_id,
      })
      if (change === null) throw new ApiError(402, 'not enough credits')
      const job = newJob({
        id: message.job_id,
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

function checkParams(
  { operation }: LiveOperation,
  submitted: Record<string, unknown>,
): Record<string, unknown> {
  const checked = validateParams(operation, ownParameters(submitted))
  if ('params' in checked) return checked.params
  throw new ApiError(400, `${checked.refused.message}. Nothing was done: any charge was refunded in full`)
}

function makeDispatch(
  { operation }: LiveOperation,
  params: Record<string, unknown>,
  { source, filename }: JobInput,
  standing: Pick<Dispatch, 'max_input_seconds' | 'tier' | 'priority'>,
): Dispatch {
  return {
    job_id: crypto.randomUUID(),
    dispatch: 1,
    service_slug: operation.service,
    operation_key: operation.key,
    params,
    source,
    filename,
    hold_ms: 0,
    ...standing,
  }
}
