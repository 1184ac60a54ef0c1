import { z } from 'zod'
import { Dispatch } from '../../shared/protocol/dispatch.ts'
import { parseTraceparent } from '../../shared/protocol/traceparent.ts'
import type { Deps } from '../deps.ts'
import { acknowledgeEffects, type Effect } from '../platform/outbox/queries.ts'
import { settleAll } from '../platform/settle-all.ts'
import { beginSpan, exportSpans, type OpenSpan } from '../platform/trace/span.ts'

/** Creates the effect that dispatches a job; each dispatch has its own id. */
export function dispatchEffect(dispatch: Dispatch): Effect {
  return { id: dispatchEffectId(dispatch), kind: 'dispatch', payload: dispatch }
}

export function dispatchEffectId({ job_id, dispatch }: Pick<Dispatch, 'job_id' | 'dispatch'>): string {
  return `dispatch:${job_id}:${dispatch}`
}

/**
 * Limits of one queue batch: the number of messages, and their total bytes with a margin for the queue's overhead.
 */
const MESSAGES_MAX = 100
const MESSAGES_BYTES_MAX = 200 * 1024

/**
 * Packs dispatches into queue batches and sends them. An unreadable or failed dispatch does not block the others; the
 * first failure is thrown at the end.
 */
export async function sendDispatches({ env, db }: Deps, effects: readonly Effect[]): Promise<void> {
  const { dispatches, fault } = readDispatches(effects.map(({ payload }) => payload))
  const acknowledge = isAcknowledged(effects)
  // The home is left out, as in messages of earlier releases.
  const database = db.$number === 0 ? {} : { database: db.$number }
  const toMessage = (dispatch: Dispatch) => ({ ...dispatch, acknowledge, ...database })
  await settleAll(
    packDispatches(dispatches).map((pack) => {
      const [first] = pack
      if (first !== undefined && pack.length === 1)
        return env.DISPATCH.send(toMessage(first), { contentType: 'json' })
      return env.DISPATCH.sendBatch(
        pack.map((dispatch) => ({ body: toMessage(dispatch), contentType: 'json' })),
      )
    }),
  )
  if (fault !== undefined) throw fault
}

/**
 * Decides whether the consumer removes dispatches from the outbox. A first dispatch is removed by the first report of
 * its job, which saves a write. Many at once wait longer for that, and share one write.
 */
function isAcknowledged(effects: readonly Effect[]): boolean {
  return effects.length > 1 || effects.some(({ attempts = 0 }) => attempts > 0)
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
 * Sends queued dispatches to the fleet and acknowledges those that it accepts, unless their messages say otherwise. A
 * dispatch that edge or fleet cannot read, for example because a newer edge wrote it, does not block the others.
 * @returns the bodies that were not delivered
 */
export async function deliverDispatches(deps: Deps, bodies: readonly unknown[]): Promise<unknown[]> {
  const parsed = bodies.map((body) => ({ body, dispatch: Dispatch.safeParse(body).data }))
  const readable = parsed.flatMap(({ body, dispatch }) => (dispatch ? [{ body, dispatch }] : []))
  const unreadable = parsed.filter(({ dispatch }) => dispatch === undefined).map(({ body }) => body)
  if (readable.length === 0) return unreadable
  const spans = beginSpans(deps, readable)
  const refused = new Set(await deps.fleet.accept(readable.map(({ dispatch }) => dispatch)))
  const accepted = readable.filter((_, position) => !refused.has(position))
  await acknowledge(
    deps,
    accepted.filter(({ body }) => !isFirst(body)),
  )
  const delivered = spans.filter(({ position }) => !refused.has(position))
  exportSpans(
    deps,
    delivered.map(({ span }) => span),
    (_, index) => ({ 'job.id': delivered[index]?.job_id ?? '' }),
  )
  const notAccepted = readable.filter((_, position) => refused.has(position))
  return [...unreadable, ...notAccepted.map(({ body }) => body)]
}

/** Removes dispatches from the outboxes of the databases that their messages name. */
async function acknowledge(
  deps: Deps,
  accepted: readonly { body: unknown; dispatch: Dispatch }[],
): Promise<void> {
  const byDatabase = Map.groupBy(accepted, ({ body }) => databaseOf(deps, body))
  await settleAll(
    [...byDatabase].map(([db, own]) =>
      acknowledgeEffects(
        db,
        own.map(({ dispatch }) => dispatchEffectId(dispatch)),
      ),
    ),
  )
}

function databaseOf({ db, databases }: Deps, body: unknown): Deps['db'] {
  const { data } = Numbered.safeParse(body)
  return data === undefined ? db : (databases[data.database] ?? db)
}

const Numbered = z.object({ database: z.int().min(1) })

/** Begins a span for each dispatch that belongs to a trace, and keeps its position in the request to the fleet. */
function beginSpans(
  deps: Deps,
  readable: readonly { dispatch: Dispatch }[],
): { position: number; job_id: string; span: OpenSpan }[] {
  return readable.flatMap(({ dispatch: { job_id, traceparent } }, position) => {
    const parent = parseTraceparent(traceparent)
    return parent === null ? [] : [{ position, job_id, span: beginSpan(deps, 'dispatch', parent) }]
  })
}

/** Messages of earlier releases have no `acknowledge` and are acknowledged. */
function isFirst(body: unknown): body is Pick<Dispatch, 'job_id' | 'dispatch'> {
  return typeof body === 'object' && body !== null && 'acknowledge' in body && body.acknowledge === false
}

/** Parses dispatches. Returns the readable ones and the first error, if any. */
function readDispatches(bodies: readonly unknown[]): { dispatches: Dispatch[]; fault?: Error } {
  const parsed = bodies.map((body) => Dispatch.safeParse(body))
  return {
    dispatches: parsed.flatMap(({ data }) => (data === undefined ? [] : [data])),
    fault: parsed.find(({ error }) => error !== undefined)?.error,
  }
}
