import type { Locale } from '../../shared/text/texts.ts'
import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Span } from '../platform/rules/paging.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { webhookEffect } from './announce.ts'
import {
  changeDeliveryStatement,
  type DeliveryFilter,
  findDelivery,
  listAttempts,
  readDeliveriesPage,
} from './queries.ts'
import { renderEvent } from './render-event.ts'
import { retryUntil } from './rules/delivery.ts'
import { viewAttempt, viewDelivery } from './view.ts'

/** More than one series of attempts; only replays add more. */
const ATTEMPTS_SHOWN_MAX = 50

/** Lists an account's webhook deliveries, newest first. */
export async function showDeliveries(
  { db }: Deps,
  { account }: AccountCaller,
  { cursor, limit, offset, ...filter }: DeliveryFilter & Span,
  locale: Locale,
) {
  const { rows, next } = await readDeliveriesPage(db, account.id, filter, { cursor, limit, offset })
  return { rows: rows.map((row) => viewDelivery(row, locale)), next }
}

/** Returns a delivery with its payload and its latest attempts. Throws 404. */
export async function showDelivery(deps: Deps, caller: AccountCaller, id: string, locale: Locale) {
  const { delivery, locale: sent_in } = await findOwnDelivery(deps, caller, id)
  const [payload, attempts] = await Promise.all([
    renderEvent(deps, delivery, sent_in),
    listAttempts(deps.db, id, ATTEMPTS_SHOWN_MAX),
  ])
  const attempt_log = attempts.map((attempt) => viewAttempt(attempt, locale))
  return { ...viewDelivery(delivery, locale), payload, attempt_log }
}

/**
 * Resends a webhook under the same id, with retries for another 24 hours. Throws 404, and 409 if its endpoint is
 * disabled or was deleted.
 */
export async function replayDelivery(deps: Deps, caller: AccountCaller, id: string, locale: Locale) {
  const { delivery, endpoint } = await findOwnDelivery(deps, caller, id)
  if (delivery.endpointId !== null && !endpoint?.enabled) throw new ApiError('webhook_endpoint_disabled')
  const now = deps.clock.now()
  // Always increases, even within one millisecond, because it identifies the new series of attempts.
  const until = Math.max(retryUntil(now, delivery.type), delivery.retryUntil + 1)
  const outcome = { responseStatus: null, error: null }
  const fields = {
    ...{ status: 'pending' as const, attempts: 0, retryUntil: until, nextAttemptAt: now },
    ...outcome,
  }
  return commitOnce(deps, {
    statements: [changeDeliveryStatement(deps.db, id, fields)],
    effects: [webhookEffect(id, until)],
    answer: viewDelivery({ ...delivery, ...fields }, locale),
  })
}

async function findOwnDelivery({ db }: Deps, { account }: AccountCaller, id: string) {
  const found = await findDelivery(db, id)
  if (found?.delivery.accountId !== account.id) throw new ApiError('webhook_delivery_not_found')
  return found
}
