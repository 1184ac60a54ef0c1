import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { Paging, webhookAddress } from '../jobs/schemas.ts'
import { idOf } from '../platform/http/schemas/common-fields.ts'
import { WebhookEvent } from './event-schemas.ts'
import { EVENT_TYPES } from './rules/events.ts'

export const webhookSecret = z.string().openapi({
  description: 'Key of the signatures: `whsec_` followed by base64, as in Standard Webhooks',
  example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
})

export const WebhookSecret = z
  .object({
    secret: webhookSecret,
    created_at: Timestamp.describe('Time at which the secret was created'),
  })
  .openapi('WebhookSecret')

const status = z.enum(['pending', 'delivered', 'failed']).describe('State of the delivery')
const type = z.enum(EVENT_TYPES).describe('Type of the event')
const response_status = z.int().nullable().openapi({
  description: 'HTTP status of the response; null if there was none',
  example: 204,
})
const error = z
  .string()
  .nullable()
  .openapi({ description: 'Why there was no response; null if there was one', example: null })

export const WebhookDelivery = z
  .object({
    id: idOf('delivery').describe('Also the webhook-id header, the same for every attempt'),
    endpoint_id: idOf('endpoint')
      .nullable()
      .describe('Endpoint that receives the event; null for the webhook_url of a job'),
    job_id: idOf('job').nullable().describe('The job that the event is about; null for a test or a batch'),
    batch_id: idOf('batch').nullable().describe('The batch that the event is about; null for other events'),
    type,
    url: webhookAddress,
    status,
    attempts: z
      .int()
      .openapi({ description: 'Attempts since the delivery was created or replayed', example: 1 }),
    response_status: response_status.describe(
      'HTTP status of the last response; null if there was none, and after a replay',
    ),
    error: error.describe('Why the last attempt got no response, in your language; null if it got one'),
    created_at: Timestamp.describe('Time of the event'),
    last_attempt_at: Timestamp.nullable().describe('Time of the last attempt; null before the first'),
    next_attempt_at: Timestamp.nullable().describe('Time of the next attempt; null if there is none'),
  })
  .openapi('WebhookDelivery')

const WebhookAttempt = z
  .object({
    attempted_at: Timestamp.describe('When the attempt ended'),
    response_status,
    duration_ms: z.int().openapi({ description: 'Duration of the attempt in milliseconds', example: 87 }),
    error,
    response_body: z.string().nullable().openapi({
      description: 'The first 1,024 bytes of the response, as text; null if there was none',
      example: 'ok',
    }),
  })
  .openapi('WebhookAttempt')

export const WebhookDeliveryDetails = WebhookDelivery.extend({
  payload: z
    .union([WebhookEvent, z.null()])
    .describe('The body that the next attempt would send; null if the job was deleted')
    // Unions of unions lose their names in the OpenAPI document.
    .openapi({ anyOf: [{ $ref: '#/components/schemas/WebhookEvent' }, { type: 'null' }] }),
  attempt_log: z.array(WebhookAttempt).describe('The latest 50 attempts, oldest first'),
}).openapi('WebhookDeliveryDetails')

const id = z.string().min(1).max(100)

export const DeliveriesQuery = Paging.extend({
  endpoint_id: id.optional().describe('Only deliveries to this endpoint'),
  status: status.optional().describe('Only deliveries in this state'),
  type: type.optional().describe('Only events of this type'),
  job_id: id.optional().describe('Only events about this job'),
  batch_id: id.optional().describe('Only events about this batch'),
})

export const DeliveryPath = z.object({ delivery_id: id.describe('Id of the delivery') })
