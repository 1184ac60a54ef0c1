import { type RouteConfig, z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { Batch } from '../batches/schemas.ts'
import { Job } from '../jobs/schemas.ts'
import { EVENT_TYPES, EVENTS, type EventFamily, type EventType, familyOf } from './rules/events.ts'

/** Schema of `data` in the events of each family. */
const REPORTED: Record<EventFamily, z.ZodType> = { job: Job, batch: Batch, test: Job }

/** Returns the schema of an event, such as `JobDoneEvent`. */
function eventSchema(type: EventType) {
  const name = type.replace(/(^|\.)(\w)/g, (_match, _dot, letter: string) => letter.toUpperCase())
  return z
    .object({
      type: z.literal(type).describe('Type of the event'),
      timestamp: Timestamp.describe('Time of the event'),
      data: REPORTED[familyOf(type)],
    })
    .openapi(`${name}Event`, { description: EVENTS[type] })
}

const SCHEMAS = EVENT_TYPES.map((type) => ({ type, schema: eventSchema(type) }))

/** The body of any webhook. */
export const WebhookEvent = z
  .union(SCHEMAS.map(({ schema }) => schema))
  .openapi({ description: 'The body of any webhook; `type` determines `data`' })

const header = (description: string) => z.string().describe(description)

/** Describes the request for each type of event. Contract: Webhooks, Webhook event. */
export const WEBHOOKS: readonly RouteConfig[] = SCHEMAS.map(({ type, schema }) => ({
  method: 'post',
  path: type,
  operationId: `receive.${type}`,
  tags: ['Webhooks'],
  summary: EVENTS[type],
  description:
    'Signed as Standard Webhooks: with the secret of the endpoint, or for a `webhook_url` with the secret of ' +
    'GET /api/v1/webhooks/secret. Retried for 24 hours with increasing delays until a 2xx response arrives within ' +
    '15 seconds; a test is attempted once. Redirects are not followed; 410 stops retries and disables the endpoint.',
  security: [],
  request: {
    headers: z.object({
      'webhook-id': header('The same for every attempt'),
      'webhook-timestamp': header('Unix time in seconds'),
      'webhook-signature': header(
        'One signature per active secret, each `v1,` followed by base64, separated by spaces',
      ),
    }),
    body: { required: true, content: { 'application/json': { schema } } },
  },
  responses: {
    204: { description: 'Accepted' },
    410: { description: 'Stop sending to this endpoint' },
  },
}))
