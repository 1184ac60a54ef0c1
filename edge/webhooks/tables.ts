import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { flag, json, time } from '../platform/database/columns.ts'
import { EVENT_TYPES, type Subscription } from './rules/events.ts'

/** Signing secrets of accounts. After a rotation, the previous secret is also used to sign for 24 hours. */
export const webhookSecrets = sqliteTable('webhook_secrets', {
  accountId: integer('account_id')
    .primaryKey()
    .references(() => accounts.id),
  secret: text('secret').notNull(),
  previousSecret: text('previous_secret'),
  createdAt: time('created_at').notNull(),
})

/** Endpoints that receive the events of a whole account. */
export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    id: text('id').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    url: text('url').notNull(),
    description: text('description'),
    events: json('events').$type<Subscription[]>().notNull(),
    enabled: flag('enabled').notNull(),
    /** Reason that the service disabled the endpoint; null if it did not. */
    disabledReason: text('disabled_reason', { enum: ['gone', 'failing'] }),
    disabledAt: time('disabled_at'),
    /** Time of the first failed attempt since the last success. */
    failingSince: time('failing_since'),
    /** Signing secret. It is rotated in the same way as the secret of the account. */
    secret: text('secret').notNull(),
    previousSecret: text('previous_secret'),
    secretCreatedAt: time('secret_created_at').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('webhook_endpoints_account').on(table.accountId)],
)

/** Webhook deliveries. There is one for each event and receiver: a webhook_url or an endpoint. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    /** Also sent as the webhook-id header, which is the same for every attempt. */
    id: text('id').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Null if the event goes to the webhook_url of its job or batch. */
    endpointId: text('endpoint_id'),
    /** The job or batch that the event is about. A test has the id of its sample job, which does not exist. */
    subjectId: text('job_id').notNull(),
    type: text('type', { enum: EVENT_TYPES }).notNull(),
    /** The receiver of the last attempt, or of the next one if there was none. */
    url: text('url').notNull(),
    status: text('status', { enum: ['pending', 'delivered', 'failed'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    responseStatus: integer('response_status'),
    error: text('error'),
    createdAt: time('created_at').notNull(),
    /** When retries end; a replay restarts them. */
    retryUntil: time('retry_until').notNull(),
    lastAttemptAt: time('last_attempt_at'),
    nextAttemptAt: time('next_attempt_at'),
  },
  (table) => [
    index('webhook_deliveries_account').on(table.accountId, table.createdAt),
    index('webhook_deliveries_state').on(table.accountId, table.status, table.attempts),
    index('webhook_deliveries_endpoint').on(table.endpointId, table.createdAt),
    index('webhook_deliveries_subject').on(table.subjectId),
  ],
)

/** The attempts of deliveries. Attempts are kept for as long as their deliveries. */
export const webhookAttempts = sqliteTable(
  'webhook_attempts',
  {
    id: integer('id').primaryKey(),
    deliveryId: text('delivery_id').notNull(),
    responseStatus: integer('response_status'),
    durationMs: integer('duration_ms').notNull(),
    error: text('error'),
    /** The beginning of the response body. */
    responseBody: text('response_body'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('webhook_attempts_delivery').on(table.deliveryId)],
)
