import type { Deps } from '../deps.ts'
import { takeDueEffect } from '../platform/outbox/queries.ts'
import { sendEffects } from '../platform/outbox/send.ts'
import { settleAll } from '../platform/settle-all.ts'
import { listDueWebhooks } from './queries.ts'

/** A Worker holds six connections open at a time; the others are for the rest of what is scheduled. */
const LANES = 4
/** The next run comes in a minute. */
const LAST_ATTEMPT_MS = 40_000
/** Four lanes get no more done in that time, unless receivers answer within some 150 ms. */
const EFFECTS_MAX = 1000

/**
 * Makes the attempts that are due, a few at a time, but of one account one at a time, and then it is another's turn:
 * a slow receiver holds up the webhooks of its own account, and takes no more than one lane from the others.
 * Throws the first failure, when all have had their turn.
 */
export async function retryWebhooks(deps: Deps): Promise<void> {
  const begun = deps.clock.now()
  const due = await listDueWebhooks(deps.db, begun, EFFECTS_MAX)
  const lines = [...Map.groupBy(due, ({ accountId }) => accountId).values()]
  const attempts: Promise<void>[] = []
  const lane = async () => {
    while (deps.clock.now() - begun < LAST_ATTEMPT_MS) {
      const line = lines.shift()
      const next = line?.shift()
      if (line === undefined || next === undefined) return
      const attempt = attemptIfDue(deps, next.id)
      attempts.push(attempt)
      await Promise.allSettled([attempt])
      if (line.length > 0) lines.push(line)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await settleAll(attempts)
}

async function attemptIfDue(deps: Deps, id: string): Promise<void> {
  const effect = await takeDueEffect(deps.db, deps.clock.now(), id)
  if (effect !== undefined) await sendEffects(deps, [effect])
}
