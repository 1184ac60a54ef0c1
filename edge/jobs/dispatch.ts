import { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Deps } from '../deps.ts'
import { acknowledgeEffects, type Effect } from '../platform/outbox/queries.ts'
import { settleAll } from '../platform/settle-all.ts'

/** A job on its way to the fleet; each handing over has an id of its own. */
export function dispatchEffect(dispatch: Dispatch): Effect {
  return { id: dispatchEffectId(dispatch), kind: 'dispatch', payload: dispatch }
}

export function dispatchEffectId({ job_id, dispatch }: Pick<Dispatch, 'job_id' | 'dispatch'>): string {
  return `dispatch:${job_id}:${dispatch}`
}

/** What a queue takes at once: so many messages, of so many bytes together (with room for what it adds). */
const MESSAGES_MAX = 100
const MESSAGES_BYTES_MAX = 200 * 1024

/**
 * Puts jobs into the queue, as few times as it allows; its consumer acknowledges them. Throws when one did not go,
 * or cannot be read, but that one holds up none of the others.
 */
export async function sendDispatches({ env }: Deps, effects: readonly Effect[]): Promise<void> {
  const { dispatches, fault } = readDispatches(effects.map(({ payload }) => payload))
  await settleAll(
    packDispatches(dispatches).map((pack) => {
      const [first] = pack
      if (pack.length === 1) return env.DISPATCH.send(first, { contentType: 'json' })
      return env.DISPATCH.sendBatch(pack.map((body) => ({ body, contentType: 'json' })))
    }),
  )
  if (fault !== undefined) throw fault
}

function packDispatches(dispatches: readonly Dispatch[]): Dispatch[][] {
  const packs: Dispatch[][] = []
  let room = 0
  for (const dispatch of dispatches) {
    const bytes = new TextEncoder().encode(JSON.stringify(dispatch)).length
    const last = packs.at(-1)
    if (last === undefined || last.length === MESSAGES_MAX || bytes > room) {
      packs.push([dispatch])
      room = MESSAGES_BYTES_MAX - bytes
    } else {
      last.push(dispatch)
      room -= bytes
    }
  }
  return packs
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
function readDispatches(bodies: readonly unknown[]): { dispatches: Dispatch[]; fault?: Error } {
  const parsed = bodies.map((body) => Dispatch.safeParse(body))
  return {
    dispatches: parsed.flatMap(({ data }) => (data === undefined ? [] : [data])),
    fault: parsed.find(({ error }) => error !== undefined)?.error,
  }
}
