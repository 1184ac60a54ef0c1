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
    access: 'none',
    tag: 'Public',
    summary: 'What the feedback form carries when nobody is signed in',
    answer: { status: 200, description: 'The token', schema: FeedbackForm },
    handle: async ({ deps }) => openForm(deps),
  }),
  route({
    method: 'post',
    path: '/api/v1/public/feedback',
    access: 'anyone',
    tag: 'Public',
    summary: 'Write to the people behind the service',
    body: Feedback,
    answer: { status: 202, description: 'It is on its way', schema: FeedbackResult },
    errors: {
      400: 'The message was rejected',
      401: 'Invalid credentials; without any, what no browser sent from a form of this site',
      503: 'Messages cannot be delivered',
    },
    handle: ({ deps, caller, body, headers }) => sendFeedback(deps, caller, body, headers),
  }),
  route({
    method: 'post',
    path: '/api/v1/analytics/collect',
    access: 'none',
    unenforced: COLLECT_POLICY,
    tag: 'Public',
    summary: 'Take what a page tells of its visits; what is malformed, too large or too often is thrown away',
    unchecked: CollectIn,
    answer: { status: 202, description: 'Always', schema: Collected },
    handle: async ({ deps, request, hasRoom }) => {
      if (hasRoom) await collectEvents(deps, request, (body) => findUnstorable(body) === null)
      return { ok: true as const }
    },
  }),
]
