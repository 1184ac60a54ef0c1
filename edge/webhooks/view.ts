import type { Locale } from '../../shared/text/texts.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { Endpoint } from './endpoint-queries.ts'
import type { Delivery, StoredAttempt } from './queries.ts'
import { deliveryErrorText } from './rules/delivery-faults.ts'
import { familyOf } from './rules/events.ts'

/** Returns an endpoint without its secret. */
export function viewEndpoint(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: endpoint.events,
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    disabled_at: isoTime(endpoint.disabledAt),
    failing_since: isoTime(endpoint.failingSince),
    created_at: isoTime(endpoint.createdAt),
  }
}

/** Returns a delivery, with its error in the language of the caller. */
export function viewDelivery(delivery: Delivery, locale: Locale) {
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    job_id: familyOf(delivery.type) === 'job' ? delivery.subjectId : null,
    batch_id: familyOf(delivery.type) === 'batch' ? delivery.subjectId : null,
    type: delivery.type,
    url: delivery.url,
    status: delivery.status,
    attempts: delivery.attempts,
    response_status: delivery.responseStatus,
    error: deliveryErrorText(delivery.error, locale),
    created_at: isoTime(delivery.createdAt),
    last_attempt_at: isoTime(delivery.lastAttemptAt),
    next_attempt_at: isoTime(delivery.nextAttemptAt),
  }
}

export function viewAttempt(attempt: StoredAttempt, locale: Locale) {
  return {
    attempted_at: isoTime(attempt.createdAt),
    response_status: attempt.responseStatus,
    duration_ms: attempt.durationMs,
    error: deliveryErrorText(attempt.error, locale),
    response_body: attempt.responseBody,
  }
}
