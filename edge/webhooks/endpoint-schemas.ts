import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { webhookAddress } from '../jobs/schemas.ts'
import { idOf } from '../platform/http/schemas/common-fields.ts'
import { plainText } from '../platform/http/schemas/plain-text.ts'
import { SUBSCRIPTIONS } from './rules/events.ts'
import { webhookSecret } from './schemas.ts'

const url = webhookAddress.describe('Public URL that receives a signed POST for each event')
const events = z
  .array(z.enum(SUBSCRIPTIONS))
  .min(1)
  .max(SUBSCRIPTIONS.length)
  .describe('The types of events; `*` stands for all, also for those of later versions')
  .openapi({ example: ['job.done', 'job.failed'] })
const description = plainText(200)
  .nullable()
  .openapi({ description: 'A note for the owner; null if there is none', example: 'Production' })
const enabled = z
  .boolean()
  .openapi({ description: 'A disabled endpoint receives no events, except tests', example: true })

export const WebhookEndpointCreate = z
  .strictObject({
    url,
    events,
    description: description.default(null),
    enabled: enabled.default(true),
  })
  .openapi('WebhookEndpointCreate')

export const WebhookEndpointChange = z
  .strictObject({ url, events, description, enabled })
  .partial()
  .openapi('WebhookEndpointChange')

export const WebhookEndpoint = z
  .object({
    id: idOf('endpoint'),
    url,
    description,
    events,
    enabled,
    disabled_reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .openapi({ example: null })
      .describe('Why the service disabled it: a 410 response, or failures for 5 days'),
    disabled_at: Timestamp.nullable().openapi({
      description: 'When the service disabled it; null if it did not',
      example: null,
    }),
    failing_since: Timestamp.nullable().openapi({
      description: 'The first failed attempt since the last success; null if there is none',
      example: null,
    }),
    created_at: Timestamp.describe('Time at which the endpoint was created'),
  })
  .openapi('WebhookEndpoint')

export const CreatedWebhookEndpoint = WebhookEndpoint.extend({
  secret: webhookSecret,
}).openapi('CreatedWebhookEndpoint')

export const EndpointPath = z.object({
  endpoint_id: z.string().min(1).max(100).describe('Id of the endpoint'),
})
