import type { Deps } from './deps.ts'
import { reportUnforeseen } from './log.ts'
import { deliverDispatches } from './services/outbox/dispatch.ts'

const RETRY_SECONDS_MAX = 60

/** Takes a batch of dispatches from the queue. What the fleet did not take comes again, later each time. */
export async function consumeDispatches(deps: Deps, batch: MessageBatch<unknown>): Promise<void> {
  try {
    await deliverDispatches(
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
