/**
 * All types of webhook events, with descriptions. Adding a type here requires its content in
 * edge/webhooks/render-event.ts and its schema in edge/webhooks/event-schemas.ts. Contract: Webhooks, Webhook event.
 */
export const EVENTS = {
  'job.done': 'A job is done',
  'job.failed': 'A job has failed and was refunded',
  'job.canceled': 'A job was canceled and refunded',
  'batch.done': 'The last file of a batch has ended, and at least one is done',
  'batch.failed': 'A batch has ended without a result, or was stopped by a file',
  'batch.canceled': 'A batch was canceled',
  test: 'Somebody tests an endpoint; the job is a sample',
} as const

export type EventType = keyof typeof EVENTS

/** The part before the dot: events of a family have the same content. */
export type EventFamily = EventType extends infer Type
  ? Type extends `${infer Family}.${string}`
    ? Family
    : Type
  : never

export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]]

/** The types that an endpoint can subscribe to. A test is sent only on request. */
export type SubscribableType = Exclude<EventType, 'test'>

export const ALL_EVENTS = '*'

/** Values that an endpoint can list in `events`. */
export const SUBSCRIPTIONS = [ALL_EVENTS, ...EVENT_TYPES.filter((type) => type !== 'test')] as [
  typeof ALL_EVENTS,
  ...SubscribableType[],
]

export type Subscription = (typeof SUBSCRIPTIONS)[number]

export function familyOf(type: EventType): EventFamily {
  return type.split('.')[0] as EventFamily
}

/** Checks whether an endpoint with these subscriptions receives events of this type. */
export function isSubscribed(events: readonly Subscription[], type: EventType): boolean {
  return events.some((event) => event === ALL_EVENTS || event === type)
}
