import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { time } from '../platform/database/columns.ts'

/** Signing secrets of accounts. After a rotation, the previous secret is also used to sign for 24 hours. */
export const webhookSecrets = sqliteTable('webhook_secrets', {
  accountId: integer('account_id')
    .primaryKey()
    .references(() => accounts.id),
  secret: text('secret').notNull(),
  previousSecret: text('previous_secret'),
  createdAt: time('created_at').notNull(),
})

/** Webhook deliveries. There is one for each ended job with a webhook_url. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    /** Also sent as the webhook-id header, which is the same for every attempt. */
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
    /** When retries end; a replay restarts them. */
    retryUntil: time('retry_until').notNull(),
    lastAttemptAt: time('last_attempt_at'),
    nextAttemptAt: time('next_attempt_at'),
  },
  (table) => [
    index('webhook_deliveries_account').on(table.accountId, table.createdAt),
    index('webhook_deliveries_state').on(table.accountId, table.status, table.attempts),
  ],
)
