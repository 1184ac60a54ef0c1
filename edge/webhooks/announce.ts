import type { Deps } from '../deps.ts'
import type { StoredJob } from '../jobs/queries.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import type { Subscriber } from './endpoint-queries.ts'
import { insertDeliveriesStatements, type NewDelivery } from './queries.ts'
import { retryUntil } from './rules/delivery.ts'
import { type EventType, isSubscribed } from './rules/events.ts'

/** Event that webhooks report to an account. */
export interface WebhookEvent {
  type: EventType
  /** Job or batch that the event is about. Each has at most one event of a type. */
  subjectId: string
  /** Null for anonymous callers, who get no webhooks because they have no signing secret. */
  accountId: number | null
  /** Additional receiver of this event only. */
  webhookUrl: string | null
}

export interface Announcement {
  /** Statements to commit together with the cause of the events. */
  statements: Statement[]
  /** Empty if nobody receives the events. */
  effects: Effect[]
}

/** Returns the event of a job that ends. */
export function jobEnd(job: StoredJob, status: 'done' | 'failed' | 'canceled'): WebhookEvent {
  return { type: `job.${status}`, subjectId: job.id, accountId: job.accountId, webhookUrl: job.webhookUrl }
}

/**
 * Creates the deliveries of events: one for each event and receiver, so repeating an event is a conflict.
 * @param endpoints the account's enabled endpoints.
 */
export function announce(
  { db }: Pick<Deps, 'db'>,
  events: readonly WebhookEvent[],
  endpoints: readonly Subscriber[],
  now: number,
): Announcement {
  const deliveries = events.flatMap((event) => deliveriesOf(event, endpoints, now))
  return {
    statements: insertDeliveriesStatements(db, deliveries),
    effects: deliveries.map(({ id, retryUntil }) => webhookEffect(id, retryUntil)),
  }
}

function deliveriesOf(
  { type, subjectId, accountId, webhookUrl }: WebhookEvent,
  endpoints: readonly Subscriber[],
  now: number,
): NewDelivery[] {
  if (accountId === null) return []
  const common = { accountId, subjectId, type, now }
  const own = webhookUrl === null ? [] : [newDelivery({ ...common, endpoint: null, url: webhookUrl })]
  const subscribed = endpoints.filter(({ events }) => isSubscribed(events, type))
  return [...own, ...subscribed.map((endpoint) => newDelivery({ ...common, endpoint, url: endpoint.url }))]
}

interface DeliveryFacts {
  accountId: number
  subjectId: string
  type: EventType
  endpoint: { id: string } | null
  url: string
  now: number
}

/**
 * Builds a delivery that is due now. Its id identifies the event, which is one of each type for a subject, and the
 * receiver. Standard Webhooks allows no full stop in an id.
 */
export function newDelivery({ endpoint, now, ...facts }: DeliveryFacts) {
  return {
    ...facts,
    id: ['msg', facts.subjectId, facts.type.replaceAll('.', '_'), ...(endpoint ? [endpoint.id] : [])].join(
      '_',
    ),
    endpointId: endpoint?.id ?? null,
    status: 'pending',
    createdAt: now,
    retryUntil: retryUntil(now, facts.type),
    nextAttemptAt: now,
  } satisfies NewDelivery
}

/** Returns a separate effect for each series of attempts, so ending one series never ends the next. */
export function webhookEffect(delivery_id: string, retry_until: number): Effect {
  return {
    id: `webhook:${delivery_id}:${retry_until}`,
    kind: 'webhook',
    payload: { delivery_id, retry_until },
  }
}
