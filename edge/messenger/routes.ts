import { UNENFORCED_POLICY } from '../accounts/rules/limits.ts'
import { route } from '../http/route.ts'
import { createDeliveryLink } from './create-delivery-link.ts'
import { receiveUpdate } from './receive-update.ts'
import { BotPath, BotUpdate, DeliverRequest, DeliverResponse, UpdateReceived } from './schemas.ts'

const tag = 'Messenger'

export const messengerRoutes = [
  route({
    method: 'post',
    path: '/api/v1/tg/deliver',
    name: 'messenger.deliver',
    access: 'either',
    tag,
    summary: 'Create a link that delivers a finished round video to a chat',
    body: DeliverRequest,
    idempotent: true,
    answer: { status: 200, description: 'A single-use link', schema: DeliverResponse },
    errors: [
      'job_not_found',
      'bot_not_found',
      'job_not_done',
      'not_deliverable',
      'result_expired',
      'messenger_not_configured',
    ],
    handle: ({ deps, caller, body, record }) => createDeliveryLink(deps, caller, body, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/tg/webhook/{bot_id}',
    name: 'messenger.receiveUpdate',
    access: 'none',
    unenforced: UNENFORCED_POLICY,
    tag,
    summary: 'Receive updates from the messenger',
    description:
      'Called by the messenger only, which authenticates with its webhook secret in ' +
      'X-Messenger-Bot-Api-Secret-Token or X-Telegram-Bot-Api-Secret-Token. Responds at once; the reply ' +
      'in the chat follows later.',
    params: BotPath,
    unchecked: BotUpdate,
    answer: { status: 200, description: 'Accepted', schema: UpdateReceived },
    errors: ['invalid_secret_token', 'bot_not_found', 'body_too_large', 'rate_limited'],
    handle: ({ deps, path, request }) => receiveUpdate(deps, path.bot_id, request),
  }),
]
