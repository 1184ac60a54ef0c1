import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { accounts } from '../accounts/tables.ts'
import { json, time } from '../platform/database/columns.ts'
import { JOB_STATES } from './rules/states.ts'
import type { StoredResult } from './rules/stored-result.ts'
import type { Tariff } from './rules/tariff.ts'

export const jobs = sqliteTable(
  'jobs',
  {
    id: text('id').primaryKey(),
    /** null: an anonymous caller's job, whose id is the capability to read it. */
    accountId: integer('account_id').references(() => accounts.id),
    /** The API key it was submitted with, if any: for whoever asks who did it, in the database alone. */
    keyId: integer('key_id'),
    /** Whose anonymous job it is, for the limit of open ones; see services/anonymous.ts. */
    anonymousKey: text('anonymous_key'),
    /** The anonymous caller that may use the result; null for an account's job. See services/anonymous.ts. */
    ownerKey: text('owner_key'),
    /** Counts that caller's jobs: two submits that went by the same count cannot both be written. */
    anonymousNumber: integer('anonymous_number'),
    /** The batch it is a file of, and its place in there, from 0. */
    batchId: text('batch_id'),
    batchPosition: integer('batch_position'),
    serviceSlug: text('service_slug').notNull(),
    operationKey: text('operation_key').notNull(),
    /** As submitted, with the envelope keys (file_url, url). */
    params: json('params').$type<Record<string, unknown>>().notNull(),
    /** What goes to the fleet; see shared/protocol/dispatch.ts. */
    dispatch: json('dispatch').$type<Dispatch>().notNull(),
    /** The dispatch's result_id, by which a result's URL leads to its job. */
    resultId: text('result_id'),
    source: text('source', { enum: ['web', 'api', 'bridge'] }).notNull(),
    status: text('status', { enum: JOB_STATES }).notNull(),
    progress: integer('progress').notNull().default(0),
    estimatedCost: integer('estimated_cost').notNull(),
    /** The prices of its submit, by which its end is charged, whatever they are by then. */
    tariff: json('tariff').$type<Tariff>().notNull(),
    finalCost: integer('final_cost'),
    processingMs: integer('processing_ms'),
    error: text('error'),
    errorCode: text('error_code'),
    result: json('result').$type<StoredResult>(),
    webhookUrl: text('webhook_url'),
    repeatOf: text('repeat_of'),
    /** Counts the moves; the next move inserts this number plus one into job_moves. */
    moves: integer('moves').notNull(),
    /** The newest attempt known; see shared/protocol/job-report.ts. */
    fence: integer('fence').notNull().default(0),
    /** When the fleet last said anything about this job. */
    heardAt: time('heard_at').notNull(),
    createdAt: time('created_at').notNull(),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
    /** When the result's files are removed. */
    expiresAt: time('expires_at'),
    /** When they were. */
    purgedAt: time('purged_at'),
  },
  (table) => [
    index('jobs_created').on(table.createdAt, table.id),
    uniqueIndex('jobs_result_id').on(table.resultId).where(sql`result_id IS NOT NULL`),
    index('jobs_expiry').on(table.expiresAt).where(sql`result IS NOT NULL`),
    index('jobs_account').on(table.accountId, table.createdAt),
    index('jobs_open').on(table.heardAt).where(sql`status IN ('queued', 'processing')`),
    index('jobs_open_of_account').on(table.accountId).where(sql`status IN ('queued', 'processing')`),
    index('jobs_stored').on(table.accountId).where(sql`result IS NOT NULL`),
    uniqueIndex('jobs_of_anonymous')
      .on(table.anonymousKey, table.anonymousNumber)
      .where(sql`anonymous_key IS NOT NULL`),
    index('jobs_open_of_anonymous')
      .on(table.anonymousKey)
      .where(sql`anonymous_key IS NOT NULL AND status IN ('queued', 'processing')`),
    index('jobs_unpaid_of_account')
      .on(table.accountId, table.finishedAt, table.processingMs)
      .where(sql`status IN ('failed', 'canceled') AND processing_ms > 0`),
    index('jobs_unpaid_of_anonymous')
      .on(table.anonymousKey, table.finishedAt, table.processingMs)
      .where(sql`anonymous_key IS NOT NULL AND status IN ('failed', 'canceled') AND processing_ms > 0`),
    index('jobs_of_batch').on(table.batchId, table.batchPosition).where(sql`batch_id IS NOT NULL`),
  ],
)

/** One row a move; the primary key lets only one of two concurrent moves through. */
export const jobMoves = sqliteTable(
  'job_moves',
  {
    jobId: text('job_id').notNull(),
    number: integer('number').notNull(),
    status: text('status', { enum: JOB_STATES }).notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.number] })],
)

export const uploads = sqliteTable(
  'uploads',
  {
    key: text('key').primaryKey(),
    accountId: integer('account_id').references(() => accounts.id),
    /** The anonymous caller that may use it; null for an account's upload. See services/anonymous.ts. */
    ownerKey: text('anonymous_key'),
    /** The address of an anonymous caller, by which limits count; see services/anonymous.ts. */
    addressKey: text('address_key'),
    filename: text('filename').notNull(),
    contentType: text('content_type').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** What its first bytes say it is, once somebody looked; null before. */
    kind: text('kind', { enum: ['video', 'image', 'audio', 'other'] }),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('uploads_expiry').on(table.expiresAt),
    index('uploads_account').on(table.accountId),
    index('uploads_open_of_account').on(table.accountId).where(sql`kind IS NULL`),
    index('uploads_open_of_address').on(table.addressKey).where(sql`kind IS NULL`),
  ],
)

/** What an account did and what it cost; what one commit does to a job is one row, written in that commit. */
export const usageEvents = sqliteTable(
  'usage_events',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** null: an anonymous caller, who only counts for the whole. */
    accountId: integer('account_id').references(() => accounts.id),
    source: text('source', { enum: ['web', 'api', 'bridge'] }).notNull(),
    action: text('action', { enum: ['submit', 'done', 'failed', 'canceled', 'upload', 'deliver'] }).notNull(),
    serviceSlug: text('service_slug'),
    operationKey: text('operation_key'),
    jobId: text('job_id'),
    /** Taken (positive) or given back (negative) by this event. */
    credits: integer('credits').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('usage_events_newest').on(table.accountId, table.createdAt)],
)

/** Reports of the fleet that were accepted, so that a repeated one changes nothing and a changed one is refused. */
export const callbacks = sqliteTable(
  'callbacks',
  {
    id: text('id').primaryKey(),
    digest: text('digest').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('callbacks_age').on(table.createdAt, table.id)],
)
