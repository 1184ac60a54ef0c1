import { z } from '@hono/zod-openapi'
import { answerPage } from '../http/answer-page.ts'
import { route } from '../http/route.ts'
import { PAGED } from '../platform/http/schemas/page.ts'
import { replayDelivery, showDeliveries, showDelivery } from './deliveries.ts'
import {
  DeliveriesQuery,
  DeliveryPath,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookSecret,
} from './schemas.ts'
import { rotateSecret, showSecret } from './secret.ts'

const tag = 'Webhooks'
const secret = { status: 200, description: 'The signing secret', schema: WebhookSecret }

export const webhookRoutes = [
  route({
    method: 'get',
    path: '/api/v1/webhooks/secret',
    name: 'webhooks.getSecret',
    access: 'session',
    tag,
    summary: 'Get the secret that signs webhooks of the account',
    answer: secret,
    handle: ({ deps, caller }) => showSecret(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/webhooks/secret',
    name: 'webhooks.rotateSecret',
    access: 'session',
    tag,
    summary: 'Rotate the secret; the previous one also signs for 24 hours',
    idempotent: true,
    answer: secret,
    handle: ({ deps, caller, record }) => rotateSecret(deps, caller, record),
  }),
  route({
    method: 'get',
    path: '/api/v1/webhooks/deliveries',
    name: 'webhooks.listDeliveries',
    access: 'either',
    tag,
    summary: 'List webhook deliveries with their outcome, newest first',
    description: PAGED,
    query: DeliveriesQuery,
    answer: { status: 200, description: 'The deliveries', schema: z.array(WebhookDelivery) },
    localized: true,
    handle: async ({ deps, caller, query, url, locale }) =>
      answerPage(await showDeliveries(deps, caller, query, locale), url),
  }),
  route({
    method: 'get',
    path: '/api/v1/webhooks/deliveries/{delivery_id}',
    name: 'webhooks.getDelivery',
    access: 'either',
    tag,
    summary: 'Get a webhook delivery with its payload and its attempts',
    params: DeliveryPath,
    answer: { status: 200, description: 'The delivery', schema: WebhookDeliveryDetails },
    localized: true,
    errors: ['webhook_delivery_not_found'],
    handle: ({ deps, caller, path, locale }) => showDelivery(deps, caller, path.delivery_id, locale),
  }),
  route({
    method: 'post',
    path: '/api/v1/webhooks/deliveries/{delivery_id}/replay',
    name: 'webhooks.replayDelivery',
    access: 'either',
    tag,
    summary: 'Redeliver a webhook',
    params: DeliveryPath,
    answer: { status: 202, description: 'Queued for delivery', schema: WebhookDelivery },
    localized: true,
    errors: ['webhook_delivery_not_found', 'webhook_endpoint_disabled'],
    handle: ({ deps, caller, path, locale }) => replayDelivery(deps, caller, path.delivery_id, locale),
  }),
]
