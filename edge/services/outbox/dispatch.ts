import { Dispatch } from '../../../shared/protocol/dispatch.ts'
import { acknowledgeEffects, type Effect } from '../../db/outbox.ts'
import type { Deps } from '../../deps.ts'

/** A job on its way to the fleet; each handing over has an id of its own. */
export function dispatchEffect(dispatch: Dispatch): Effect {
  return { id: dispatchEffectId(dispatch), kind: 'dispatch', payload: dispatch }
}

export function dispatchEffectId({ job_id, dispatch }: Pick<Dispatch, 'job_id' | 'dispatch'>): string {
  return `dispatch:${job_id}:${dispatch}`
}

/** Puts jobs into the queue, each by itself: together they may be more than a queue takes, and none waits for a bad one. */
export async function sendDispatches({ env }: Deps, dispatches: Dispatch[]): Promise<void> {
  const sent = await Promise.allSettled(
    dispatches.map((body) => env.DISPATCH.send(body, { contentType: 'json' })),
  )
  const failed = sent.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** The queue's consumer: hands jobs over to the fleet, then acknowledges them. Throws when it did not take them. */
export async function deliverDispatches(deps: Deps, bodies: readonly unknown[]): Promise<void> {
  const dispatches = bodies.map((body) => Dispatch.parse(body))
  await deps.fleet.accept(dispatches)
  await acknowledgeEffects(deps.db, dispatches.map(dispatchEffectId))
}
