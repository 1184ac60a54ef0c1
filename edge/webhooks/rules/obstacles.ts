import type { EventType } from './events.ts'

const OBSTACLES = {
  deleted_endpoint: 'the endpoint was deleted',
  disabled_endpoint: 'the endpoint is disabled',
  deleted_subject: 'the subject of the event was deleted',
} as const

type Obstacle = (typeof OBSTACLES)[keyof typeof OBSTACLES]

/**
 * Returns the reason that a delivery cannot be attempted, or null if it can. Tests are also sent to disabled endpoints.
 */
export function findObstacle(
  { type, endpointId }: { type: EventType; endpointId: string | null },
  endpoint: { enabled: boolean } | null,
  event: object | null,
): Obstacle | null {
  if (endpointId !== null && endpoint === null) return OBSTACLES.deleted_endpoint
  if (endpoint !== null && !endpoint.enabled && type !== 'test') return OBSTACLES.disabled_endpoint
  return event === null ? OBSTACLES.deleted_subject : null
}
