import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { webhookAddress } from '../jobs/schemas.ts'
import { plainText } from '../platform/http/schemas/plain-text.ts'
import { SUBSCRIPTIONS } from './rules/events.ts'

const url = webhookAddress.describe('Public URL that receives a signed POST for each event')
const events = z
  .array(z.enum(SUBSCRIPTIONS))
  .min(1)
  .max(SUBSCRIPTIONS.length)
  .describe('The types of events; `*` stands for all, also for those of later versions')
  .openapi({ example: ['job.done', 'job.failed'] })
const description = plainText(200).nullable().describe('A note for the owner')
const enabled = z.boolean().describe('A disabled endpoint receives no events, except tests')

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
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.enum(SUBSCRIPTIONS)),
    enabled: z.boolean(),
    disabled_reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe('Why the service disabled it: a 410 response, or failures for 5 days'),
    disabled_at: Timestamp.nullable().describe('When the service disabled it'),
    failing_since: Timestamp.nullable().describe('The first failed attempt since the last success'),
    created_at: Timestamp,
  })
  .openapi('WebhookEndpoint')

export const CreatedWebhookEndpoint = WebhookEndpoint.extend({
  secret: z
    .string()
    .describe('Signs the webhooks of this endpoint: `whsec_` followed by base64, as in Standard Webhooks'),
}).openapi('CreatedWebhookEndpoint')

export const EndpointPath = z.object({ endpoint_id: z.string().min(1).max(100) })
