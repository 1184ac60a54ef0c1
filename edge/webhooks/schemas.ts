import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { Paging } from '../jobs/schemas.ts'
import { WebhookEvent } from './event-schemas.ts'
import { EVENT_TYPES } from './rules/events.ts'

export const WebhookSecret = z
  .object({
    secret: z.string().describe('`whsec_` followed by base64, as Standard Webhooks libraries expect'),
    created_at: Timestamp,
  })
  .openapi('WebhookSecret')

const status = z.enum(['pending', 'delivered', 'failed'])
const type = z.enum(EVENT_TYPES)

export const WebhookDelivery = z
  .object({
    id: z.string().describe('Also the webhook-id header, the same for every attempt'),
    endpoint_id: z.string().nullable().describe('null if the event went to the webhook_url of its job'),
    job_id: z.string().nullable().describe('The job that the event is about; null for a test'),
    type,
    url: z.string(),
    status,
    attempts: z.int().describe('Attempts since the delivery was created or replayed'),
    response_status: z.int().nullable().describe('HTTP status of the last response'),
    error: z.string().nullable().describe('Why the last attempt got no response'),
    created_at: Timestamp,
    last_attempt_at: Timestamp.nullable(),
    next_attempt_at: Timestamp.nullable(),
  })
  .openapi('WebhookDelivery')

const WebhookAttempt = z
  .object({
    attempted_at: Timestamp.describe('When the attempt ended'),
    response_status: z.int().nullable(),
    duration_ms: z.int(),
    error: z.string().nullable().describe('Why the attempt got no response'),
    response_body: z.string().nullable().describe('The first 1,024 bytes of the response, as text'),
  })
  .openapi('WebhookAttempt')

export const WebhookDeliveryDetails = WebhookDelivery.extend({
  // A union, because `nullable` would make the component itself nullable in the OpenAPI document.
  payload: z
    .union([WebhookEvent, z.null()])
    .describe('The body that the next attempt would send; null if the job was deleted'),
  attempt_log: z.array(WebhookAttempt).describe('The latest 50 attempts, oldest first'),
}).openapi('WebhookDeliveryDetails')

const id = z.string().min(1).max(100)

export const DeliveriesQuery = Paging.extend({
  endpoint_id: id.optional(),
  status: status.optional(),
  type: type.optional(),
  job_id: id.optional(),
})

export const DeliveryPath = z.object({ delivery_id: id })
