import { z } from '@hono/zod-openapi'
import { COLLECT_EVENTS_MAX, WebEvent } from '../analytics/rules/events.ts'
import { MESSAGE_LENGTH } from './rules/spam.ts'

export const FeedbackForm = z
  .object({
    form_token: z.string(),
    not_before_seconds: z.number().describe('Minimum time between loading the form and sending the message'),
    expires_in: z.number().describe('Seconds'),
  })
  .openapi('FeedbackForm')

export const Feedback = z
  .strictObject({
    // Length limits are checked later, in the order of the guards.
    message: z.string().max(20_000).openapi({
      minLength: MESSAGE_LENGTH.min,
      maxLength: MESSAGE_LENGTH.max,
      example: 'It works very well.',
    }),
    contact: z.string().max(200).optional().describe('How to reach the sender'),
    page: z.string().max(500).optional().describe('Page on which the feedback was written'),
    error: z.string().max(2000).optional().describe('Error that the page was showing'),
    website: z.string().max(2000).optional().describe('Leave empty'),
    form_token: z.string().max(200).optional().describe('Required without a session'),
  })
  .openapi('Feedback')

export const FeedbackResult = z.object({ ok: z.boolean() }).openapi('FeedbackResult')

export const CollectIn = z
  .object({
    visitor_id: z.string().max(64).nullish(),
    events: z.array(z.object(WebEvent.shape).openapi('WebEvent')).min(1).max(COLLECT_EVENTS_MAX),
  })
  .openapi('CollectBody')

export const Collected = z.object({ ok: z.literal(true) }).openapi('Collected')
