import { z } from '@hono/zod-openapi'
import { Timestamp } from './account.ts'
import { Paging } from './job.ts'

export const WebhookSecret = z
  .object({
    secret: z.string().describe('`whsec_` and base64, as Standard Webhooks libraries take it'),
    created_at: Timestamp,
  })
  .openapi('WebhookSecret')

export const WebhookDelivery = z
  .object({
    id: z.string().describe('Also the webhook-id header, the same for every attempt'),
    job_id: z.string(),
    type: z.enum(['job.done', 'job.failed', 'job.canceled']),
    url: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().describe('Since it was begun, or sent again'),
    response_status: z.int().nullable().describe("The receiver's last answer"),
    error: z.string().nullable().describe('Why there was none'),
    created_at: Timestamp,
    last_attempt_at: Timestamp.nullable(),
    next_attempt_at: Timestamp.nullable(),
  })
  .openapi('WebhookDelivery')

export const DeliveriesQuery = Paging

export const DeliveryPath = z.object({ delivery_id: z.string().min(1).max(100) })
