import type { Deps } from './deps.ts'
import { deliverDispatches } from './jobs/dispatch.ts'
import { reportUnforeseen } from './log.ts'
import { takeRecords } from './statistics/handle-records.ts'

const RETRY_SECONDS_MAX = 60

type Consume = (deps: Deps, bodies: readonly unknown[]) => Promise<void>

/** Takes a batch of whichever queue it came from. */
export async function consumeBatch(deps: Deps, batch: MessageBatch<unknown>): Promise<void> {
  await (batch.queue.startsWith('media-records') ? consumeRecords : consumeDispatches)(deps, batch)
}

/** Jobs on their way to the fleet. What it did not take comes again, later each time. */
export function consumeDispatches(deps: Deps, batch: MessageBatch<unknown>): Promise<void> {
  return consume(deps, batch, deliverDispatches)
}

/** Request logs and web events, on their way into the database. */
export function consumeRecords(deps: Deps, batch: MessageBatch<unknown>): Promise<void> {
  return consume(deps, batch, takeRecords)
}

async function consume(deps: Deps, batch: MessageBatch<unknown>, take: Consume): Promise<void> {
  try {
    await take(
      deps,
      batch.messages.map(({ body }) => body),
    )
  } catch (error) {
    reportUnforeseen(error, { task: `queue ${batch.queue}` })
    for (const message of batch.messages) {
      message.retry({ delaySeconds: Math.min(2 ** (message.attempts - 1), RETRY_SECONDS_MAX) })
    }
  }
}
