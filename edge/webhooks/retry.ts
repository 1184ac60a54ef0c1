import type { Deps } from '../deps.ts'
import { claimDueEffect } from '../platform/outbox/queries.ts'
import { sendEffects } from '../platform/outbox/send.ts'
import { settleAll } from '../platform/settle-all.ts'
import { listDueWebhooks } from './queries.ts'
import { lineAfter } from './rules/lines.ts'

/** A Worker can have six open connections; the other two are for other scheduled tasks. */
const LANES = 4
/** No attempt starts after this time, because the next run starts in a minute. */
const LAST_ATTEMPT_MS = 40_000
/** More effects than four lanes can attempt in that time, unless receivers respond within about 150 ms. */
const EFFECTS_MAX = 1000
/**
 * Attempts due webhooks in parallel lanes, round robin, with one attempt at a time per account. A slow receiver
 * delays only its account, blocks at most one lane, and goes to the end of its account's line. Throws the first
 * failure after all attempts have finished.
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
      const started = deps.clock.now()
      const attempt = attemptIfDue(deps, next.id)
      attempts.push(attempt)
      await Promise.allSettled([attempt])
      const rest = lineAfter(line, { ...next, duration_ms: deps.clock.now() - started })
      if (rest.length > 0) lines.push(rest)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await settleAll(attempts)
}

async function attemptIfDue(deps: Deps, id: string): Promise<void> {
  const effect = await claimDueEffect(deps.db, deps.clock.now(), id)
  if (effect !== undefined) await sendEffects(deps, [effect])
}
