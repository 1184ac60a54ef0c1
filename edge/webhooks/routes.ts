import { z } from '@hono/zod-openapi'
import { route } from '../http/route.ts'
import { replayDelivery, showDeliveries } from './deliveries.ts'
import { DeliveriesQuery, DeliveryPath, WebhookDelivery, WebhookSecret } from './schemas.ts'
import { rotateSecret, showSecret } from './secret.ts'

const tag = 'Webhooks'
const secret = { status: 200, description: 'The secret that signs', schema: WebhookSecret }

export const webhookRoutes = [
  route({
    method: 'get',
    path: '/api/v1/webhooks/secret',
    access: 'session',
    tag,
    summary: "The secret that signs the account's webhooks",
    answer: secret,
    handle: ({ deps, caller }) => showSecret(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/webhooks/secret',
    access: 'session',
    tag,
    summary: 'Replace the secret; for a day the one before it signs as well',
    idempotent: true,
    answer: secret,
    handle: ({ deps, caller, record }) => rotateSecret(deps, caller, record),
  }),
  route({
    method: 'get',
    path: '/api/v1/webhooks/deliveries',
    access: 'either',
    tag,
    summary: 'List webhooks and how their sending went, newest first',
    query: DeliveriesQuery,
    answer: { status: 200, description: 'The deliveries', schema: z.array(WebhookDelivery) },
    handle: ({ deps, caller, query }) => showDeliveries(deps, caller, query),
  }),
  route({
    method: 'post',
    path: '/api/v1/webhooks/deliveries/{delivery_id}/replay',
    access: 'either',
    tag,
    summary: 'Send a webhook again',
    params: DeliveryPath,
    answer: { status: 202, description: 'It is on its way', schema: WebhookDelivery },
    errors: { 404: 'Unknown webhook delivery' },
    handle: ({ deps, caller, path }) => replayDelivery(deps, caller, path.delivery_id),
  }),
]
