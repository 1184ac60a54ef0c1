import { CancelRequest } from '../../shared/protocol/dispatch.ts'
import type { Deps } from '../deps.ts'
import { acknowledgeEffects, type Effect } from '../platform/outbox/queries.ts'
import { settleAll } from '../platform/settle-all.ts'

/** Creates the effect that makes the fleet stop a job. */
export function cancelEffect(job_id: string): Effect {
  return { id: `cancel:${job_id}`, kind: 'cancel', payload: { job_id } }
}

/**
 * Sends cancellations to the fleet and acknowledges them in one write, because a batch may have hundreds of
 * files.
 */
export async function sendCancels(deps: Deps, effects: readonly Effect[]): Promise<void> {
  // From now on, reports of these jobs are answered by the database, which stops their attempts.
  const requests = effects.map(({ payload }) => CancelRequest.safeParse(payload))
  await deps.progress.forget(requests.flatMap(({ data }) => data?.job_id ?? []))
  const sending = effects.map(async ({ id, payload }) => {
    await deps.fleet.cancel(CancelRequest.parse(payload).job_id)
    return id
  })
  const outcomes = await Promise.allSettled(sending)
  const acknowledged = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  await acknowledgeEffects(deps.db, acknowledged)
  await settleAll(sending)
}
