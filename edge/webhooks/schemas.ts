import { type RouteConfig, z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { Job, Paging } from '../jobs/schemas.ts'

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

const header = (description: string) => z.string().describe(description)

/** What is sent to a job's webhook_url. Contract: Webhooks, Webhook event. */
export const JOB_WEBHOOK: RouteConfig = {
  method: 'post',
  path: 'job',
  operationId: 'receiveJobWebhook',
  tags: ['Webhooks'],
  summary: 'A job that named a webhook_url is over',
  description:
    'Signed by Standard Webhooks with the secret of GET /api/v1/webhooks/secret. Sent again for 24 hours, ' +
    'later each time, until it is answered by a 2xx within 15 seconds; redirects are not followed, and 410 ends it.',
  security: [],
  request: {
    headers: z.object({
      'webhook-id': header('The same for every attempt'),
      'webhook-timestamp': header('Seconds since 1970'),
      'webhook-signature': header(
        'One signature for each secret in force, `v1,` and base64, parted by blanks',
      ),
    }),
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z
            .object({ type: WebhookDelivery.shape.type, timestamp: Timestamp, data: Job })
            .openapi('JobWebhook'),
        },
      },
    },
  },
  responses: {
    204: { description: 'Taken' },
    410: { description: 'Nothing more is wanted here' },
  },
}
