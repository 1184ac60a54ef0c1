import { z } from 'zod'
import { sign } from '../../shared/protocol/signature.ts'
import type { Deps } from '../deps.ts'
import { viewJob } from '../jobs/view.ts'
import { commit } from '../platform/database/commit.ts'
import { isoTime } from '../platform/iso-time.ts'
import {
  acknowledgeEffects,
  acknowledgeStatement,
  type Effect,
  postponeStatement,
} from '../platform/outbox/queries.ts'
import { settleAll } from '../platform/settle-all.ts'
import { judgeWebhookAddress } from './address.ts'
import { type Delivery, findDeliveryWithJob, recordAttemptStatement } from './queries.ts'
import { type Attempt, judgeAttempt, signingSecrets } from './rules/delivery.ts'
import { loadSecret } from './secret.ts'

const TIMEOUT_MS = 15_000
const ERROR_LENGTH_MAX = 300

const WebhookRequest = z.object({ delivery_id: z.string(), retry_until: z.int() })

/** Attempts each delivery once. */
export function deliverWebhooks(deps: Deps, effects: readonly Effect[]): Promise<void> {
  return settleAll(effects.map((effect) => deliverWebhook(deps, effect)))
}

/**
 * Attempts a delivery once and records the outcome. The effect stays in the outbox until the delivery succeeds or
 * fails for good. A failing receiver does not throw here.
 */
async function deliverWebhook(deps: Deps, { id, payload }: Pick<Effect, 'id' | 'payload'>) {
  const { delivery_id, retry_until } = WebhookRequest.parse(payload)
  const found = await findDeliveryWithJob(deps.db, delivery_id)
  if (found === undefined || found.delivery.status !== 'pending' || found.delivery.retryUntil !== retry_until)
    return acknowledgeEffects(deps.db, [id])
  const { delivery, job } = found
  // The body is rendered at each attempt. Attempts are identical, except that files may have been removed since.
  const timestamp = isoTime(job.finishedAt ?? delivery.createdAt)
  const body = JSON.stringify({ type: delivery.type, timestamp, data: viewJob(deps, job) })
  const attempt = await attemptDelivery(deps, delivery, body)
  const now = deps.clock.now()
  const attempts = delivery.attempts + 1
  const verdict = judgeAttempt({ attempts, retry_until }, attempt, now, Math.random())
  const fields = {
    attempts,
    status: verdict.status,
    responseStatus: attempt.response_status,
    error: attempt.error,
    lastAttemptAt: now,
    nextAttemptAt: verdict.next_attempt_at,
  }
  await commit(deps.db, [
    recordAttemptStatement(deps.db, delivery, fields),
    verdict.status === 'pending'
      ? postponeStatement(deps.db, id, verdict.next_attempt_at)
      : acknowledgeStatement(deps.db, id),
  ])
}

async function attemptDelivery(deps: Deps, delivery: Delivery, body: string): Promise<Attempt> {
  // The name may resolve to a different address than when the job was submitted.
  const verdict = await judgeWebhookAddress(deps, delivery.url)
  if (verdict !== 'safe') return unanswered(`the address is not public or does not resolve: ${verdict}`)
  const stored = await loadSecret(deps, delivery.accountId)
  const now = deps.clock.now()
  const keys = signingSecrets(
    { secret: stored.secret, previous_secret: stored.previousSecret, created_at: stored.createdAt },
    now,
  )
  try {
    const response = await fetch(delivery.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'media-credits-webhooks/1',
        ...signWithAll(keys, delivery.id, body, new Date(now)),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    return { response_status: response.status, error: null }
  } catch (error) {
    return unanswered(error instanceof Error ? error.message : 'no response')
  }
}

function unanswered(error: string): Attempt {
  return { response_status: null, error: error.slice(0, ERROR_LENGTH_MAX) }
}

/** Signs with every active secret. Standard Webhooks allows several signatures in one header. */
function signWithAll(keys: readonly string[], id: string, body: string, now: Date) {
  const all = keys.map((key) => sign([key], id, body, now))
  return { ...all[0], 'webhook-signature': all.map((one) => one['webhook-signature']).join(' ') }
}
