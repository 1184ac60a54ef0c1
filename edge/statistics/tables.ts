import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { time } from '../platform/database/columns.ts'

/**
 * Usage events added up by day, account and operation; the account 0 stands for all together, anonymous
 * callers among them. Sums outlive the events. What is not in them yet is past `rollups`.
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
    /** Of the jobs that are done, where it was measured, and how many those are. */
    processingMs: integer('processing_ms').notNull(),
    measured: integer('measured').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.serviceSlug, table.operationKey] })],
)

/** The last day on which an account did anything with jobs. */
export const accountActivity = sqliteTable(
  'account_activity',
  { accountId: integer('account_id').primaryKey(), lastDay: integer('last_day').notNull() },
  (table) => [index('account_activity_day').on(table.lastDay)],
)

/** How far sums have come: the last usage event that is in `usage_days`, the last day that is in `web_days`. */
export const rollups = sqliteTable('rollups', {
  name: text('name', { enum: ['usage', 'web'] }).primaryKey(),
  through: integer('through').notNull(),
})

/** Requests that were answered. Kept for as long as the setting request_logs_kept_days says. */
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
    /** Of the address, by a key that is another one each day: it tells who is the same, never who it is. */
    ipHash: text('ip_hash').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    unique('request_logs_once').on(table.requestId),
    index('request_logs_account').on(table.accountId, table.id),
  ],
)
