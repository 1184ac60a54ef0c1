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

/** Puts jobs into the queue, each by itself: together they may be more than a queue takes. Throws when one did not go. */
export async function sendDispatches({ env }: Deps, dispatches: Dispatch[]): Promise<void> {
  await settleAll(dispatches.map((body) => env.DISPATCH.send(body, { contentType: 'json' })))
}

/**
 * The queue's consumer: hands jobs over to the fleet, then acknowledges them. Throws when it did not take
 * them; also when one cannot be read, but that one holds up none of the others.
 */
export async function deliverDispatches(deps: Deps, bodies: readonly unknown[]): Promise<void> {
  const { dispatches, fault } = readDispatches(bodies)
  if (dispatches.length > 0) {
    await deps.fleet.accept(dispatches)
    await acknowledgeEffects(deps.db, dispatches.map(dispatchEffectId))
  }
  if (fault !== undefined) throw fault
}

/** Takes apart what can be read and the first fault of what can't. */
export function readDispatches(bodies: readonly unknown[]): { dispatches: Dispatch[]; fault?: Error } {
  const parsed = bodies.map((body) => Dispatch.safeParse(body))
  return {
    dispatches: parsed.flatMap(({ data }) => (data === undefined ? [] : [data])),
    fault: parsed.find(({ error }) => error !== undefined)?.error,
  }
}

/** Waits for all, so that none is cut short by another; then throws the first failure, if any. */
export async function settleAll(work: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
