import { z } from '@hono/zod-openapi'
import { route } from '../http/route.ts'
import { createEndpoint } from './create-endpoint.ts'
import {
  CreatedWebhookEndpoint,
  EndpointPath,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointCreate,
} from './endpoint-schemas.ts'
import { rotateEndpointSecret, showEndpointSecret } from './endpoint-secret.ts'
import { changeEndpoint, deleteEndpoint, showEndpoint, showEndpoints } from './endpoints.ts'
import { WebhookDeliveryDetails, WebhookSecret } from './schemas.ts'
import { testEndpoint } from './test-endpoint.ts'

const tag = 'Webhooks'
const secret = { status: 200, description: 'The signing secret', schema: WebhookSecret }

/** Reading requires a session or a key; changes require a session, as for API keys. */
export const webhookEndpointRoutes = [
  route({
    method: 'get',
    path: '/api/v1/webhooks/endpoints',
    name: 'webhooks.listEndpoints',
    access: 'either',
    tag,
    summary: 'List the webhook endpoints of the account, oldest first',
    answer: { status: 200, description: 'The endpoints', schema: z.array(WebhookEndpoint) },
    handle: ({ deps, caller }) => showEndpoints(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/webhooks/endpoints',
    name: 'webhooks.createEndpoint',
    access: 'session',
    tag,
    summary: 'Create a webhook endpoint, which receives the events of the whole account',
    body: WebhookEndpointCreate,
    idempotent: true,
    answer: { status: 201, description: 'The endpoint with its secret', schema: CreatedWebhookEndpoint },
    errors: ['too_many_webhook_endpoints'],
    handle: ({ deps, caller, body, record }) => createEndpoint(deps, caller, body, record),
  }),
  route({
    method: 'get',
    path: '/api/v1/webhooks/endpoints/{endpoint_id}',
    name: 'webhooks.getEndpoint',
    access: 'either',
    tag,
    summary: 'Get a webhook endpoint',
    params: EndpointPath,
    answer: { status: 200, description: 'The endpoint', schema: WebhookEndpoint },
    errors: ['webhook_endpoint_not_found'],
    handle: ({ deps, caller, path }) => showEndpoint(deps, caller, path.endpoint_id),
  }),
  route({
    method: 'patch',
    path: '/api/v1/webhooks/endpoints/{endpoint_id}',
    name: 'webhooks.changeEndpoint',
    access: 'session',
    tag,
    summary: 'Change a webhook endpoint; pending deliveries go to its new URL',
    params: EndpointPath,
    body: WebhookEndpointChange,
    answer: { status: 200, description: 'The endpoint', schema: WebhookEndpoint },
    errors: ['webhook_endpoint_not_found'],
    handle: ({ deps, caller, path, body }) => changeEndpoint(deps, caller, path.endpoint_id, body),
  }),
  route({
    method: 'delete',
    path: '/api/v1/webhooks/endpoints/{endpoint_id}',
    name: 'webhooks.deleteEndpoint',
    access: 'session',
    tag,
    summary: 'Delete a webhook endpoint; its pending deliveries are given up',
    params: EndpointPath,
    answer: { status: 204, description: 'Deleted', schema: null },
    errors: ['webhook_endpoint_not_found'],
    handle: ({ deps, caller, path }) => deleteEndpoint(deps, caller, path.endpoint_id),
  }),
  route({
    method: 'get',
    path: '/api/v1/webhooks/endpoints/{endpoint_id}/secret',
    name: 'webhooks.getEndpointSecret',
    access: 'session',
    tag,
    summary: 'Get the secret that signs the webhooks of an endpoint',
    params: EndpointPath,
    answer: secret,
    errors: ['webhook_endpoint_not_found'],
    handle: ({ deps, caller, path }) => showEndpointSecret(deps, caller, path.endpoint_id),
  }),
  route({
    method: 'post',
    path: '/api/v1/webhooks/endpoints/{endpoint_id}/secret',
    name: 'webhooks.rotateEndpointSecret',
    access: 'session',
    tag,
    summary: 'Rotate the secret of an endpoint; the previous one also signs for 24 hours',
    params: EndpointPath,
    idempotent: true,
    answer: secret,
    errors: ['webhook_endpoint_not_found'],
    handle: ({ deps, caller, path, record }) => rotateEndpointSecret(deps, caller, path.endpoint_id, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/webhooks/endpoints/{endpoint_id}/test',
    name: 'webhooks.testEndpoint',
    access: 'either',
    tag,
    summary: 'Send a test event with a sample job to an endpoint',
    description:
      'Sends once, waits for the outcome, and returns the delivery. A disabled endpoint receives it, too.',
    params: EndpointPath,
    answer: { status: 200, description: 'The delivery', schema: WebhookDeliveryDetails },
    localized: true,
    errors: ['webhook_endpoint_not_found'],
    handle: ({ deps, caller, path, locale }) => testEndpoint(deps, caller, path.endpoint_id, locale),
  }),
]
