import { readClient } from '../accounts/client.ts'
import { COLLECT_POLICY, collectEvents } from '../analytics/collect.ts'
import { route } from '../http/route.ts'
import { findUnstorable } from '../platform/http/rules/storable.ts'
import { openForm } from './form.ts'
import { Collected, CollectIn, Feedback, FeedbackForm, FeedbackResult } from './schemas.ts'
import { sendFeedback } from './send.ts'

export const intakeRoutes = [
  route({
    method: 'get',
    path: '/api/v1/public/feedback/token',
    name: 'feedback.createToken',
    access: 'none',
    tag: 'Public',
    summary: 'Get a feedback form token for a visitor without a session',
    answer: { status: 200, description: 'The form token', schema: FeedbackForm },
    handle: async ({ deps }) => openForm(deps),
  }),
  route({
    method: 'post',
    path: '/api/v1/public/feedback',
    name: 'feedback.send',
    access: 'anyone',
    tag: 'Public',
    summary: 'Send feedback',
    body: Feedback,
    answer: { status: 202, description: 'Accepted for delivery', schema: FeedbackResult },
    errors: [
      'feedback_rejected',
      'too_many_links',
      'duplicate_message',
      'feedback_outside_site',
      'feedback_form_expired',
      'feedback_form_too_fast',
      'too_many_messages',
      'feedback_unavailable',
    ],
    handle: ({ deps, caller, body, headers }) =>
      sendFeedback(deps, caller, body, {
        address: readClient(headers).address,
        origin: headers.get('origin'),
        fetch_site: headers.get('sec-fetch-site'),
      }),
  }),
  route({
    method: 'post',
    path: '/api/v1/analytics/collect',
    name: 'analytics.collect',
    access: 'none',
    unenforced: COLLECT_POLICY,
    tag: 'Public',
    summary: 'Collect page analytics; drops events that are invalid, too large or too frequent',
    unchecked: CollectIn,
    answer: { status: 202, description: 'Returned for every request', schema: Collected },
    handle: async ({ deps, request, hasRoom }) => {
      if (hasRoom) await collectEvents(deps, request, (body) => findUnstorable(body) === null)
      return { ok: true as const }
    },
  }),
]
