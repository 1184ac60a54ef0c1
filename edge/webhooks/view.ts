import { isoTime } from '../platform/iso-time.ts'
import type { Endpoint } from './endpoint-queries.ts'
import type { Delivery, StoredAttempt } from './queries.ts'
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

export function viewDelivery(delivery: Delivery) {
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
    error: delivery.error,
    created_at: isoTime(delivery.createdAt),
    last_attempt_at: isoTime(delivery.lastAttemptAt),
    next_attempt_at: isoTime(delivery.nextAttemptAt),
  }
}

export function viewAttempt(attempt: StoredAttempt) {
  return {
    attempted_at: isoTime(attempt.createdAt),
    response_status: attempt.responseStatus,
    duration_ms: attempt.durationMs,
    error: attempt.error,
    response_body: attempt.responseBody,
  }
}
