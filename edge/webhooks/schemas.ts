import { type RouteConfig, z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { Job, Paging } from '../jobs/schemas.ts'

export const WebhookSecret = z
  .object({
    secret: z.string().describe('`whsec_` followed by base64, as Standard Webhooks libraries expect'),
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
    attempts: z.int().describe('Attempts since the delivery was created or replayed'),
    response_status: z.int().nullable().describe('HTTP status of the last response'),
    error: z.string().nullable().describe('Why the last attempt got no response'),
    created_at: Timestamp,
    last_attempt_at: Timestamp.nullable(),
    next_attempt_at: Timestamp.nullable(),
  })
  .openapi('WebhookDelivery')

export const DeliveriesQuery = Paging

export const DeliveryPath = z.object({ delivery_id: z.string().min(1).max(100) })

const header = (description: string) => z.string().describe(description)

/** Describes the request that is sent to a job's webhook_url. Contract: Webhooks, Webhook event. */
export const JOB_WEBHOOK: RouteConfig = {
  method: 'post',
  path: 'job',
  operationId: 'receiveJobWebhook',
  tags: ['Webhooks'],
  summary: 'A job with a webhook_url has ended',
  description:
    'Signed as Standard Webhooks with the secret of GET /api/v1/webhooks/secret. Retried for 24 hours ' +
    'with increasing delays until a 2xx response arrives within 15 seconds. Redirects are not followed; 410 stops retries.',
  security: [],
  request: {
    headers: z.object({
      'webhook-id': header('The same for every attempt'),
      'webhook-timestamp': header('Unix time in seconds'),
      'webhook-signature': header(
        'One signature per active secret, each `v1,` followed by base64, separated by spaces',
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
    204: { description: 'Accepted' },
    410: { description: 'Stop sending this webhook' },
  },
}
