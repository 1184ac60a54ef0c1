import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { webhookEffect } from './announce.ts'
import { changeDeliveryStatement, type Delivery, findDelivery, listDeliveries } from './queries.ts'
import { retryUntil } from './rules/delivery.ts'

/** Lists an account's webhook deliveries, newest first. */
export async function showDeliveries(
  { db }: Deps,
  { account }: AccountCaller,
  page: { limit: number; offset: number },
) {
  return (await listDeliveries(db, account.id, page)).map(viewDelivery)
}

/** Resends a webhook under the same id, with retries for another 24 hours. Throws 404. */
export async function replayDelivery(deps: Deps, { account }: AccountCaller, id: string) {
  const delivery = await findDelivery(deps.db, id)
  if (delivery === undefined || delivery.accountId !== account.id) {
    throw new ApiError('webhook_delivery_not_found')
  }
  const now = deps.clock.now()
  // Always increases, even within one millisecond, because it identifies the new series of attempts.
  const until = Math.max(retryUntil(now), delivery.retryUntil + 1)
  const fields = { status: 'pending' as const, attempts: 0, retryUntil: until, nextAttemptAt: now }
  return commitOnce(deps, {
    statements: [changeDeliveryStatement(deps.db, id, fields)],
    effects: [webhookEffect(id, until)],
    answer: viewDelivery({ ...delivery, ...fields }),
  })
}

function viewDelivery(delivery: Delivery) {
  return {
    id: delivery.id,
    job_id: delivery.jobId,
    type: delivery.type,
    url: delivery.url,
    status: delivery.status,
    attempts: delivery.attempts,
    response_status: delivery.responseStatus,
    error: delivery.error,
    created_at: isoTime(delivery.createdAt),
    last_attempt_at: isoTime(delivery.lastAttemptAt),
    next_attempt_at: isoTime(delivery.nextAttemptAt),
  }
}
