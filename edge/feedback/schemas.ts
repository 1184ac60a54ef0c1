import { z } from '@hono/zod-openapi'
import { COLLECT_EVENTS_MAX, WebEvent } from '../analytics/rules/events.ts'
import { MESSAGE_LENGTH } from './rules/spam.ts'

const FORM_TOKEN = '1764065400.6f2c9d.Qm9vayBhIHRhYmxl'

export const FeedbackForm = z
  .object({
    form_token: z.string().openapi({ description: 'Send it with the message', example: FORM_TOKEN }),
    not_before_seconds: z.number().openapi({
      description: 'Minimum time between loading the form and sending the message, in seconds',
      example: 3,
    }),
    expires_in: z.number().openapi({ description: 'Seconds until the token expires', example: 3600 }),
  })
  .openapi('FeedbackForm')

export const Feedback = z
  .strictObject({
    // Length limits are checked later, in the order of the guards.
    message: z.string().max(20_000).openapi({
      description: 'The message, with at most 2 links',
      minLength: MESSAGE_LENGTH.min,
      maxLength: MESSAGE_LENGTH.max,
      example: 'It works very well.',
    }),
    contact: z
      .string()
      .max(200)
      .optional()
      .openapi({ description: 'How to reach the sender', example: 'ada@example.com' }),
    page: z
      .string()
      .max(500)
      .optional()
      .openapi({ description: 'Page on which the feedback was written', example: '/studio' }),
    error: z
      .string()
      .max(2000)
      .optional()
      .openapi({ description: 'Error that the page was showing', example: 'The upload failed' }),
    website: z.string().max(2000).optional().openapi({ description: 'Leave empty', example: '' }),
    form_token: z
      .string()
      .max(200)
      .optional()
      .openapi({ description: 'Required without a session', example: FORM_TOKEN }),
  })
  .openapi('Feedback')

export const FeedbackResult = z
  .object({ ok: z.boolean().openapi({ description: 'True if the message was passed on', example: true }) })
  .openapi('FeedbackResult')

const { name, ts, path, referrer, props } = WebEvent.shape
const Event = z
  .object({
    name: name.openapi({ description: 'Name of the event', example: 'page_view' }),
    ts: ts.openapi({
      description: 'Time of the event in ISO 8601 or in milliseconds since 1970. Default: now',
      example: '2026-11-20T09:30:00.000Z',
    }),
    path: path.openapi({ description: 'Path of the page; the query is not stored', example: '/pricing' }),
    referrer: referrer.openapi({
      description: 'URL of the referring page; only its host is stored',
      example: 'https://example.org/',
    }),
    props: props.openapi({ description: 'Properties of the event', example: { plan: 'pro' } }),
  })
  .openapi('WebEvent')

export const CollectIn = z
  .object({
    visitor_id: z
      .string()
      .max(64)
      .nullish()
      .openapi({ description: 'Random id of the visitor, chosen by the page', example: 'v-81f2' }),
    events: z.array(Event).min(1).max(COLLECT_EVENTS_MAX).describe('Events, oldest first'),
  })
  .openapi('CollectBody')

export const Collected = z
  .object({ ok: z.literal(true).describe('Always true: invalid events are dropped silently') })
  .openapi('Collected')
