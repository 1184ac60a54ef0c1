import { DAY_MS } from '../../platform/rules/days.ts'
import { type Attempt, type DeliveryVerdict, GONE, isAccepted } from './delivery.ts'
import type { EventType } from './events.ts'

/** Time for which all attempts at an endpoint must fail before it is disabled. */
export const FAILING_MS_MAX = 5 * DAY_MS

/** The response to an attempt, and the status of its delivery after it. */
export type AttemptOutcome = Pick<Attempt, 'response_status'> & Pick<DeliveryVerdict, 'status'>

/** Consequence of an attempt for its endpoint. */
export type EndpointVerdict = 'ignore' | 'healthy' | 'failing' | 'disable_gone' | 'disable_failing'

/**
 * Decides the consequence of an attempt for its endpoint. A failing endpoint is disabled only when a delivery is given
 * up, so an endpoint that rarely receives events gets all retries of the latest event. Tests change nothing.
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
