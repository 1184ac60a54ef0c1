import { waitInWords } from '../../http/rules/wait.ts'
import { type ErrorEntry, type Wait, withFacts } from './entry.ts'

const MESSAGE_LIMITS = {
  in_a_row: 'messages in a row',
  account_day: 'messages from this account today',
  address_day: 'messages from this address today',
  network_hour: 'messages from this network',
  everybody_hour: 'messages from all senders',
}
export type MessageLimit = keyof typeof MESSAGE_LIMITS

const ROUND_VIDEO_FAULTS = {
  not_round: 'it is not a round video. Run video/circle and deliver its result.',
  wrong_size: 'it must be square, with sides of at most 640 pixels. Run video/circle with a smaller size.',
  too_long: 'it is longer than a minute. Trim it first.',
  too_large: 'it is larger than 50 MB, the limit for bots. Compress it first.',
}
export type RoundVideoFault = keyof typeof ROUND_VIDEO_FAULTS

/** Errors for favorites, feedback, the messenger and webhooks. */
export const SERVICE_ERRORS = {
  tool_not_found: {
    status: 404,
    detail: 'Tool not found or disabled. Use a tool from GET /api/v1/studio/tools.',
    help: 'Use an enabled operation from the tools listing.',
  },
  favorite_removed: {
    status: 409,
    detail: 'Another request removed the favorite at the same time. Try again.',
    help: 'Repeat the request.',
  },
  feedback_rejected: {
    status: 400,
    detail: 'The message was rejected. Load the form on this site and send the message again.',
    help: 'Have a person fill in the form.',
  },
  feedback_outside_site: {
    status: 401,
    detail: 'Anonymous messages are accepted only from the form on this site. Use the form, or sign in.',
    help: 'Sign in, or send the message from the form on this site.',
  },
  feedback_form_expired: {
    status: 401,
    detail: 'The form has expired. Load it again and resend the message.',
    help: 'Request a new form_token.',
  },
  feedback_form_too_fast: {
    status: 401,
    detail: 'The form was submitted too quickly. Wait a few seconds and try again.',
    help: 'Wait not_before_seconds after loading the form.',
  },
  duplicate_message: {
    status: 400,
    detail: 'The same message was already sent today. Send each message once.',
    help: 'Send each message once.',
  },
  too_many_links: withFacts({
    status: 400,
    detail: ({ links_max }: { links_max: number }) =>
      `A message may have at most ${links_max} links. Remove the others.`,
    example: { links_max: 2 },
    help: 'Remove links.',
  }),
  too_many_messages: withFacts({
    status: 429,
    detail: ({ limit, retry_after_seconds }: { limit: MessageLimit } & Wait) =>
      `Too many ${MESSAGE_LIMITS[limit]}. Try again in ${waitInWords(retry_after_seconds)}.`,
    example: { limit: 'in_a_row', retry_after_seconds: 120 },
    help: 'Wait as long as Retry-After says.',
  }),
  feedback_unavailable: {
    status: 503,
    detail: 'Messages cannot be delivered at the moment. Try again later.',
    help: 'Hide the form: the public config reports whether feedback is open.',
  },
  messenger_not_configured: {
    status: 503,
    detail: 'Delivery to a messenger is not configured on this server. Download the result instead.',
    help: 'Download the result instead.',
  },
  bot_not_found: {
    status: 404,
    detail: 'Bot not found. Check bot_id.',
    help: 'Leave bot_id out to use the first bot.',
  },
  invalid_secret_token: {
    status: 401,
    detail: 'The secret token is missing or invalid. Register the webhook again.',
    help: 'Register the webhook with the secret of the bot.',
  },
  not_deliverable: withFacts({
    status: 409,
    detail: ({ reason }: { reason: RoundVideoFault }) =>
      `The result cannot be delivered: ${ROUND_VIDEO_FAULTS[reason]}`,
    example: { reason: 'too_long' },
    help: 'Deliver the result of a video/circle job.',
  }),
  result_expired: {
    status: 409,
    detail: 'The result has expired. Run the job again.',
    help: 'Run the job again.',
  },
  webhook_delivery_not_found: {
    status: 404,
    detail: 'Webhook delivery not found. Use an id from the list of deliveries.',
    help: 'Use an id from the list of deliveries.',
  },
} as const satisfies Record<string, ErrorEntry>
