import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { json, time } from '../platform/database/columns.ts'

/** What signs an account's webhooks. After a rotation the one before it signs too, for a day. */
export const webhookSecrets = sqliteTable('webhook_secrets', {
  accountId: integer('account_id')
    .primaryKey()
    .references(() => accounts.id),
  secret: text('secret').notNull(),
  previousSecret: text('previous_secret'),
  createdAt: time('created_at').notNull(),
})

/** Webhooks that were or will be sent, one for each job that ended and asked for it. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    /** Also the webhook-id, the same for every attempt. */
    id: text('id').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    jobId: text('job_id').notNull(),
    type: text('type', { enum: ['job.done', 'job.failed', 'job.canceled'] }).notNull(),
    url: text('url').notNull(),
    status: text('status', { enum: ['pending', 'delivered', 'failed'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    responseStatus: integer('response_status'),
    error: text('error'),
    createdAt: time('created_at').notNull(),
    /** When the attempts end; a replay begins them anew. */
    retryUntil: time('retry_until').notNull(),
    lastAttemptAt: time('last_attempt_at'),
    nextAttemptAt: time('next_attempt_at'),
  },
  (table) => [
    index('webhook_deliveries_account').on(table.accountId, table.createdAt),
    index('webhook_deliveries_state').on(table.accountId, table.status, table.attempts),
  ],
)

/**
 * Requests that carried an Idempotency-Key, for a day. `completions` lets only one of two commits through
 * that both answer the same request.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    /** Whose key it is: an account, or an anonymous caller's address. */
    owner: text('owner').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the method, path and body. */
    fingerprint: text('fingerprint').notNull(),
    createdAt: time('created_at').notNull(),
    /** Until then nobody else begins; after a crash the next one may. */
    lockedUntil: time('locked_until').notNull(),
    completions: integer('completions').notNull().default(0),
    /** The first answer: its status and its sealed body; null while the request runs. */
    status: integer('status'),
    answer: text('answer'),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
    check('idempotency_keys_once', sql`${table.completions} IN (0, 1)`),
  ],
)

/**
 * A job to the fleet, its cancel; files to remove; a letter; a webhook; a refund or a mandate at its provider;
 * what a bot answers; what people wrote by the feedback form, into a chat.
 */
const OUTBOX_KINDS = [
  ...(['dispatch', 'cancel', 'purge', 'abort', 'mail', 'webhook'] as const),
  ...(['refund', 'mandate', 'messenger', 'feedback'] as const),
] as const

/** Effects outside the database, written in the same batch as their cause, removed when acknowledged. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    kind: text('kind', { enum: OUTBOX_KINDS }).notNull(),
    payload: json('payload').notNull(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: time('due_at').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('outbox_due').on(table.dueAt)],
)

/** Callbacks that were taken, so that a repeated one changes nothing and a changed one is refused. */
export const callbacks = sqliteTable(
  'callbacks',
  {
    id: text('id').primaryKey(),
    digest: text('digest').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('callbacks_age').on(table.createdAt, table.id)],
)
