import { DAY_MS } from '../../platform/rules/days.ts'
import { type Attempt, type DeliveryVerdict, GONE, isAccepted } from './delivery.ts'
import type { EventType } from './events.ts'

/** How long every attempt at an endpoint must have failed before it is disabled. */
export const FAILING_MS_MAX = 5 * DAY_MS

/** The response to an attempt, and the status of its delivery after it. */
export type AttemptOutcome = Pick<Attempt, 'response_status'> & Pick<DeliveryVerdict, 'status'>

/** What an attempt means for its endpoint. */
export type EndpointVerdict = 'ignore' | 'healthy' | 'failing' | 'disable_gone' | 'disable_failing'

/**
 * Decides what an attempt means for its endpoint. An endpoint that fails is disabled only when a delivery is given
 * up, so one that rarely receives events gets all the retries of the latest one. Tests change nothing.
 * Contract: Webhooks, Disabled endpoints.
 */
export function judgeEndpoint(
  { type, failing_since }: { type: EventType; failing_since: number | null },
  { response_status, status }: AttemptOutcome,
  now: number,
): EndpointVerdict {
  if (type === 'test') return 'ignore'
  if (isAccepted(response_status)) return 'healthy'
  if (response_status === GONE) return 'disable_gone'
  const fails_too_long = failing_since !== null && now - failing_since >= FAILING_MS_MAX
  return status === 'failed' && fails_too_long ? 'disable_failing' : 'failing'
}
