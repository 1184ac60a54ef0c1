import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import {
  disableEndpointStatement,
  type Endpoint,
  recordFailureStatement,
  recordSuccessStatement,
} from './endpoint-queries.ts'
import type { Attempt, DeliveryVerdict } from './rules/delivery.ts'
import { judgeEndpoint } from './rules/endpoint-health.ts'
import type { EventType } from './rules/events.ts'

/** Returns what an attempt changes in its endpoint: its series of failures, or whether it is enabled. */
export function noteEndpoint(
  { db }: Pick<Deps, 'db'>,
  endpoint: Endpoint,
  type: EventType,
  attempt: Attempt,
  verdict: DeliveryVerdict,
  now: number,
): Statement[] {
  const failing_since = endpoint.failingSince
  switch (judgeEndpoint({ type, failing_since }, attempt, verdict, now)) {
    case 'ignore':
      return []
    case 'healthy':
      return [recordSuccessStatement(db, endpoint.id)]
    case 'failing':
      return [recordFailureStatement(db, endpoint, now)]
    case 'disable_gone':
      return [disableEndpointStatement(db, endpoint, 'gone', now)]
    case 'disable_failing':
      return [disableEndpointStatement(db, endpoint, 'failing', now)]
  }
}
