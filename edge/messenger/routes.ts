import { UNENFORCED_POLICY } from '../accounts/rules/limits.ts'
import { route } from '../http/route.ts'
import { createDeliveryLink } from './create-delivery-link.ts'
import { takeUpdate } from './handle-update.ts'
import { BotPath, BotUpdate, DeliverRequest, DeliverResponse, UpdateTaken } from './schemas.ts'

const tag = 'Messenger'

export const messengerRoutes = [
  route({
    method: 'post',
    path: '/api/v1/tg/deliver',
    access: 'either',
    tag,
    summary: 'Make a link by which a finished round video comes into a chat',
    body: DeliverRequest,
    idempotent: true,
    answer: { status: 200, description: 'The link; it is good once', schema: DeliverResponse },
    errors: {
      404: 'Unknown job or bot',
      409: 'The job is not done, is no round video, or its result is gone',
      503: 'No bot is configured',
    },
    handle: ({ deps, caller, body, record }) => createDeliveryLink(deps, caller, body, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/tg/webhook/{bot_id}',
    access: 'none',
    unenforced: UNENFORCED_POLICY,
    tag,
    summary: 'Takes what people write to a bot',
    description:
      'For the messenger alone, which proves itself by the secret of its webhook, in ' +
      'X-Messenger-Bot-Api-Secret-Token or X-Telegram-Bot-Api-Secret-Token. It is answered at once; what ' +
      'follows in the chat comes later.',
    params: BotPath,
    unchecked: BotUpdate,
    answer: { status: 200, description: 'Taken', schema: UpdateTaken },
    errors: {
      401: 'Missing or invalid secret token',
      404: 'Unknown bot',
      413: 'The body is larger than 1 MiB',
    },
    handle: ({ deps, path, request }) => takeUpdate(deps, path.bot_id, request),
  }),
]
