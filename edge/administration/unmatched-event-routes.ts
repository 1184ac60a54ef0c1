import { z } from '@hono/zod-openapi'
import { route } from '../http/route.ts'
import {
  SettleEventRequest,
  UnmatchedEvent,
  UnmatchedEventPath,
  UnmatchedEventsQuery,
} from '../payments/unmatched-event-schemas.ts'
import { settleUnmatchedEvent, showUnmatchedEvents } from './unmatched-events.ts'

const tag = 'Billing administration'
const access = 'admin'

export const unmatchedEventRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/unmatched-events',
    name: 'admin.listUnmatchedEvents',
    access,
    tag,
    summary: 'List payment events that match no order or mandate, newest first',
    description:
      'Events of a mandate are applied automatically when the payment that creates the mandate arrives. Money for an unknown order or mandate waits for an administrator, as does money for a deleted account, unless its provider pays it back.',
    query: UnmatchedEventsQuery,
    answer: { status: 200, description: 'The events', schema: z.array(UnmatchedEvent) },
    handle: ({ deps, query }) => showUnmatchedEvents(deps, query),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/unmatched-events/{event_id}/settle',
    name: 'admin.settleUnmatchedEvent',
    access,
    tag,
    summary: 'Resolve an unmatched event: grant credits for its money, or dismiss it',
    params: UnmatchedEventPath,
    body: SettleEventRequest,
    idempotent: true,
    answer: { status: 200, description: 'The event', schema: UnmatchedEvent },
    errors: ['account_not_found', 'event_not_found', 'event_already_settled', 'payback_in_progress'],
    handle: ({ deps, caller, path, body, record }) =>
      settleUnmatchedEvent(deps, caller, path.event_id, body, record),
  }),
]
