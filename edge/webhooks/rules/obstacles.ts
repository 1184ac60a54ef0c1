import type { DeliveryFault } from './delivery-faults.ts'
import type { EventType } from './events.ts'

type Obstacle = Extract<DeliveryFault, 'deleted_endpoint' | 'disabled_endpoint' | 'deleted_subject'>

/**
 * Returns the reason that a delivery cannot be attempted, or null if it can. Tests are also sent to disabled endpoints.
 */
export function findObstacle(
  { type, endpointId }: { type: EventType; endpointId: string | null },
  endpoint: { enabled: boolean } | null,
  event: object | null,
): Obstacle | null {
  if (endpointId !== null && endpoint === null) return 'deleted_endpoint'
  if (endpoint !== null && !endpoint.enabled && type !== 'test') return 'disabled_endpoint'
  return event === null ? 'deleted_subject' : null
}
