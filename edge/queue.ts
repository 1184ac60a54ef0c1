import type { Deps } from './deps.ts'
import { deliverDispatches } from './jobs/dispatch.ts'
import { reportUnforeseen } from './log.ts'
import { handleRecords } from './statistics/handle-records.ts'

const RETRY_SECONDS_MAX = 60
const DEAD_RETRY_SECONDS = 60 * 60

/** Handles the bodies of a batch. Returns those that have to be retried; if it throws, all are. */
type Consume = (deps: Deps, bodies: readonly unknown[]) => Promise<readonly unknown[]>

/** Handles a batch of messages from any queue. */
export async function consumeBatch(deps: Deps, batch: MessageBatch<unknown>): Promise<void> {
  await (batch.queue.startsWith('media-records') ? consumeRecords : consumeDispatches)(deps, batch)
}

/** Dispatches queued jobs to the fleet. A batch that fails is retried with increasing delays. */
export function consumeDispatches(deps: Deps, batch: MessageBatch<unknown>): Promise<void> {
  return consume(deps, batch, deliverDispatches)
}

/** Writes queued request logs and web events to the database. */
export function consumeRecords(deps: Deps, batch: MessageBatch<unknown>): Promise<void> {
  return consume(deps, batch, async (_deps, bodies) => {
    await handleRecords(deps, bodies)
    return []
  })
}

/** Messages in a dead-letter queue are counted in the log and handled again every hour. */
async function consume(deps: Deps, batch: MessageBatch<unknown>, handle: Consume): Promise<void> {
  const bodies = batch.messages.map(({ body }) => body)
  const isDead = /-dead\b/.test(batch.queue)
  if (isDead) {
    const text = `${bodies.length} messages failed all attempts and are tried again`
    reportUnforeseen(new Error(text), { task: `queue ${batch.queue}` })
  }
  const failed = await handle(deps, bodies).catch((error) => {
    reportUnforeseen(error, { task: `queue ${batch.queue}` })
    return bodies
  })
  if (failed !== bodies && failed.length > 0) {
    const error = new Error(`${failed.length} of ${bodies.length} messages were not readable`)
    reportUnforeseen(error, { task: `queue ${batch.queue}` })
  }
  for (const message of batch.messages) {
    if (!failed.includes(message.body)) continue
    const delay = Math.min(2 ** (message.attempts - 1), RETRY_SECONDS_MAX)
    message.retry({ delaySeconds: isDead ? DEAD_RETRY_SECONDS : delay })
  }
}
