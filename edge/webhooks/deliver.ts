import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { commit, LostRace } from '../platform/database/commit.ts'
import { inLanes } from '../platform/in-lanes.ts'
import {
  acknowledgeEffects,
  acknowledgeStatement,
  type Effect,
  postponeStatement,
} from '../platform/outbox/queries.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { attemptWebhook } from './attempt.ts'
import type { Endpoint } from './endpoint-queries.ts'
import { NOTHING, type Note, noteEndpoint } from './note-endpoint.ts'
import {
  type Delivery,
  type FoundDelivery,
  findDelivery,
  insertAttemptStatement,
  recordOutcomeStatement,
} from './queries.ts'
import { renderEvent } from './render-event.ts'
import { type Attempt, judgeAttempt, signingSecrets } from './rules/delivery.ts'
import { findObstacle } from './rules/obstacles.ts'
import { loadSecret } from './secret.ts'

const WebhookRequest = z.object({ delivery_id: z.string(), retry_until: z.int() })

/** A Worker can have six open connections; the other two are for the database. */
const LANES = 4
/** First attempts must end before the outbox resends the effects, 30 seconds after the commit. */
const LAST_START_MS = 12_000

/**
 * Attempts each delivery once. Deliveries that slow receivers keep from starting in time stay in the outbox, which
 * alternates between accounts.
 */
export function deliverWebhooks(deps: Deps, effects: readonly Effect[]): Promise<void> {
  const begun = deps.clock.now()
  return inLanes(LANES, effects, async (effect) => {
    if (deps.clock.now() - begun < LAST_START_MS) await deliverWebhook(deps, effect)
  })
}

/**
 * Attempts a delivery once and records the outcome. The effect stays in the outbox until the delivery succeeds or
 * fails for good.
 */
async function deliverWebhook(deps: Deps, { id, payload }: Pick<Effect, 'id' | 'payload'>) {
  const { delivery_id, retry_until } = WebhookRequest.parse(payload)
  const found = await findDelivery(deps.db, delivery_id)
  if (found === undefined || found.delivery.status !== 'pending' || found.delivery.retryUntil !== retry_until)
    return acknowledgeEffects(deps.db, [id])
  const { delivery, endpoint, locale } = found
  const event = await renderEvent(deps, delivery, locale)
  const obstacle = findObstacle(delivery, endpoint, event)
  if (obstacle !== null || event === null) return giveUp(deps, id, delivery, obstacle)
  const url = endpoint?.url ?? delivery.url
  const secrets = await loadSigningSecrets(deps, delivery, endpoint)
  const attempt = await attemptWebhook(deps, { url, id: delivery.id, body: JSON.stringify(event), secrets })
  return recordAttempt(deps, id, { ...found, delivery: { ...delivery, url } }, attempt)
}

/** Records an attempt and its consequences for the delivery, the endpoint, and the effect in one commit. */
async function recordAttempt(
  deps: Deps,
  effectId: string,
  { delivery, endpoint }: FoundDelivery,
  attempt: Attempt,
): Promise<void> {
  const { db } = deps
  const now = deps.clock.now()
  const attempts = delivery.attempts + 1
  const facts = { attempts, retry_until: delivery.retryUntil }
  const { status, next_attempt_at } = judgeAttempt(facts, attempt, now, Math.random())
  const { response_status: responseStatus, error, duration_ms, response_body } = attempt
  const outcome = { attempts, url: delivery.url, status, responseStatus, error }
  const noted = { responseStatus, error, durationMs: duration_ms, responseBody: response_body }
  const statements = [
    recordOutcomeStatement(db, delivery, { ...outcome, lastAttemptAt: now, nextAttemptAt: next_attempt_at }),
    insertAttemptStatement(db, { deliveryId: delivery.id, ...noted, createdAt: now }),
    next_attempt_at === null
      ? acknowledgeStatement(db, effectId)
      : postponeStatement(db, effectId, next_attempt_at),
  ]
  const note = await noteEndpoint(deps, endpoint, delivery.type, { ...attempt, status }, now)
  const record = ({ statements: noting, effects }: Note) =>
    commitOnce(deps, { statements: [...statements, ...noting], effects, answer: undefined })
  try {
    await record(note)
  } catch (error) {
    // The owner changed the endpoint during the attempt, so the attempt says nothing about it.
    if (!(error instanceof LostRace)) throw error
    await record(NOTHING)
  }
}

/** Ends a delivery that can no longer be attempted. A replay restarts the delivery. */
function giveUp({ db }: Deps, effectId: string, delivery: Delivery, error: string | null): Promise<void> {
  const fields = { status: 'failed', error, responseStatus: null, nextAttemptAt: null } as const
  return commit(db, [recordOutcomeStatement(db, delivery, fields), acknowledgeStatement(db, effectId)])
}

/** Loads the active secrets of the receiver: those of the endpoint or those of the account. */
async function loadSigningSecrets(deps: Deps, { accountId }: Delivery, endpoint: Endpoint | null) {
  const now = deps.clock.now()
  if (endpoint !== null) {
    const { secret, previousSecret: previous_secret, secretCreatedAt: created_at } = endpoint
    return signingSecrets({ secret, previous_secret, created_at }, now)
  }
  const { secret, previousSecret: previous_secret, createdAt: created_at } = await loadSecret(deps, accountId)
  return signingSecrets({ secret, previous_secret, created_at }, now)
}
