import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { time } from '../platform/database/columns.ts'

/**
 * Daily totals of usage events by account and operation. Account 0 is the whole platform, including anonymous
 * callers. The totals outlive the events. `rollups` stores the last event that was included.
 */
export const usageDays = sqliteTable(
  'usage_days',
  {
    accountId: integer('account_id').notNull(),
    /** Days since 1970, in UTC. */
    day: integer('day').notNull(),
    serviceSlug: text('service_slug').notNull(),
    operationKey: text('operation_key').notNull(),
    submissions: integer('submissions').notNull(),
    done: integer('done').notNull(),
    failed: integer('failed').notNull(),
    canceled: integer('canceled').notNull(),
    spent: integer('spent').notNull(),
    refunded: integer('refunded').notNull(),
    /** Total processing time of the finished jobs for which it was measured, and the number of those jobs. */
    processingMs: integer('processing_ms').notNull(),
    measured: integer('measured').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.serviceSlug, table.operationKey] })],
)

/** The last day on which an account had job activity. */
export const accountActivity = sqliteTable(
  'account_activity',
  { accountId: integer('account_id').primaryKey(), lastDay: integer('last_day').notNull() },
  (table) => [index('account_activity_day').on(table.lastDay)],
)

/**
 * Progress of tasks: the last usage event included in `usage_days`, the last day included in `web_days`, and the number of
 * times that global tables were copied to this database.
 */
export const rollups = sqliteTable('rollups', {
  name: text('name', { enum: ['usage', 'web', 'global tables'] }).primaryKey(),
  through: integer('through').notNull(),
})

/** Request log. The setting request_logs_kept_days controls retention. */
export const requestLogs = sqliteTable(
  'request_logs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    requestId: text('request_id').notNull(),
    accountId: integer('account_id'),
    keyId: integer('key_id'),
    method: text('method').notNull(),
    path: text('path').notNull(),
    status: integer('status').notNull(),
    durationMs: integer('duration_ms').notNull(),
    source: text('source', { enum: ['web', 'api', 'bridge'] }).notNull(),
    /** Hash of the address with a daily key. It links the requests of one day and does not identify anyone. */
    ipHash: text('ip_hash').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    unique('request_logs_once').on(table.requestId),
    index('request_logs_account').on(table.accountId, table.id),
  ],
)
