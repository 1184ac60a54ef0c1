import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { FailureReason } from '../../shared/failures/failures.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { ERROR_CODES as JOB_ERROR_CODES } from '../../shared/protocol/job-report.ts'
import { accounts } from '../accounts/tables.ts'
import { json, time } from '../platform/database/columns.ts'
import type { Metadata, TemplateReference } from './rules/labels.ts'
import type { JobOutput } from './rules/output.ts'
import { JOB_STATES } from './rules/states.ts'
import type { StoredResult } from './rules/stored-result.ts'
import type { Tariff } from './rules/tariff.ts'

export const jobs = sqliteTable(
  'jobs',
  {
    id: text('id').primaryKey(),
    /** null for an anonymous job, which anyone who knows its id can read. */
    accountId: integer('account_id').references(() => accounts.id),
    /** The API key used for the submission, if any; stored only for investigations in the database. */
    keyId: integer('key_id'),
    /** The anonymous caller's address key, for the in-flight limit; see edge/accounts/anonymous-client.ts. */
    anonymousKey: text('anonymous_key'),
    /** The key of the caller's IPv6 block, for its shared limits; null for other callers. */
    anonymousBlock: text('anonymous_block'),
    /** The anonymous owner of the result; null for an account's job. See edge/accounts/anonymous-client.ts. */
    ownerKey: text('owner_key'),
    /** Numbers an anonymous caller's jobs, so two submissions based on the same count cannot both commit. */
    anonymousNumber: integer('anonymous_number'),
    /** The batch, and the file's position in it, starting at 0. */
    batchId: text('batch_id'),
    batchPosition: integer('batch_position'),
    serviceSlug: text('service_slug').notNull(),
    operationKey: text('operation_key').notNull(),
    /** As submitted, including the envelope keys (file_url, url). */
    params: json('params').$type<Record<string, unknown>>().notNull(),
    /** The dispatch for the fleet; see shared/protocol/dispatch.ts. */
    dispatch: json('dispatch').$type<Dispatch>().notNull(),
    /** The dispatch's result_id, which maps a result URL to its job. */
    resultId: text('result_id'),
    /**
     * Headers for the import of the file, encrypted with STORAGE_KEYS; null if there are none. Empty once the job has
     * ended.
     */
    sealedHeaders: text('sealed_headers'),
    source: text('source', { enum: ['web', 'api', 'bridge'] }).notNull(),
    status: text('status', { enum: JOB_STATES }).notNull(),
    progress: integer('progress').notNull().default(0),
    estimatedCost: integer('estimated_cost').notNull(),
    /** The price terms at the time of submission; later price changes do not affect the job. */
    tariff: json('tariff').$type<Tariff>().notNull(),
    finalCost: integer('final_cost'),
    processingMs: integer('processing_ms'),
    error: text('error'),
    errorCode: text('error_code', { enum: JOB_ERROR_CODES }),
    /** What `error` is built from; null if it exists only in English. See rules/error-text.ts. */
    failure: json('failure').$type<FailureReason>(),
    result: json('result').$type<StoredResult>(),
    webhookUrl: text('webhook_url'),
    /** Export destination, as submitted; null if the result is not exported. */
    output: json('output').$type<JobOutput>(),
    /** The client's own tag and data; see rules/labels.ts. */
    tag: text('tag'),
    metadata: json('metadata').$type<Metadata>().notNull().default({}),
    /** Saved template of the submission, if any. */
    template: json('template').$type<TemplateReference>(),
    repeatOf: text('repeat_of'),
    /** Number of transitions so far; the next one is inserted into job_moves with this number plus one. */
    transitions: integer('moves').notNull(),
    /** The latest known attempt; see shared/protocol/job-report.ts. */
    fence: integer('fence').notNull().default(0),
    /** Time of the last report, transition, or redispatch. */
    heardAt: time('heard_at').notNull(),
    createdAt: time('created_at').notNull(),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
    /** When the result files expire. */
    expiresAt: time('expires_at'),
    /** When the result files were deleted. */
    purgedAt: time('purged_at'),
    /** When its owner deleted the job. Its content is erased; the row stays for accounting. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    index('jobs_created').on(table.createdAt, table.id),
    uniqueIndex('jobs_result_id').on(table.resultId).where(sql`result_id IS NOT NULL`),
    index('jobs_expiry').on(table.expiresAt).where(sql`result IS NOT NULL`),
    // Contains the filter fields of lists, so that rows of other jobs are not read.
    index('jobs_listed').on(
      table.accountId,
      table.createdAt,
      table.id,
      table.status,
      table.serviceSlug,
      table.operationKey,
      table.deletedAt,
    ),
    index('jobs_tagged')
      .on(
        table.accountId,
        table.tag,
        table.createdAt,
        table.id,
        table.status,
        table.serviceSlug,
        table.operationKey,
        table.deletedAt,
      )
      .where(sql`tag IS NOT NULL`),
    index('jobs_open').on(table.heardAt).where(sql`status IN ('queued', 'processing')`),
    index('jobs_open_of_account').on(table.accountId).where(sql`status IN ('queued', 'processing')`),
    index('jobs_stored').on(table.accountId).where(sql`result IS NOT NULL`),
    uniqueIndex('jobs_of_anonymous')
      .on(table.anonymousKey, table.anonymousNumber)
      .where(sql`anonymous_key IS NOT NULL`),
    index('jobs_open_of_anonymous')
      .on(table.anonymousKey)
      .where(sql`anonymous_key IS NOT NULL AND status IN ('queued', 'processing')`),
    index('jobs_open_of_block')
      .on(table.anonymousBlock)
      .where(sql`anonymous_block IS NOT NULL AND status IN ('queued', 'processing')`),
    index('jobs_unpaid_of_account')
      .on(table.accountId, table.finishedAt, table.processingMs)
      .where(sql`status IN ('failed', 'canceled') AND processing_ms > 0`),
    index('jobs_unpaid_of_anonymous')
      .on(table.anonymousKey, table.finishedAt, table.processingMs)
      .where(sql`anonymous_key IS NOT NULL AND status IN ('failed', 'canceled') AND processing_ms > 0`),
    index('jobs_unpaid_of_block')
      .on(table.anonymousBlock, table.finishedAt, table.processingMs)
      .where(sql`anonymous_block IS NOT NULL AND status IN ('failed', 'canceled') AND processing_ms > 0`),
    index('jobs_of_batch_by_state')
      .on(table.batchId, table.status, table.batchPosition)
      .where(sql`batch_id IS NOT NULL`),
  ],
)

/** One row per transition. The primary key lets only one of two concurrent transitions succeed. */
export const jobTransitions = sqliteTable(
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
    /** The anonymous owner; null for an account's upload. See edge/accounts/anonymous-client.ts. */
    ownerKey: text('anonymous_key'),
    /** The anonymous caller's address key, for rate limits; see edge/accounts/anonymous-client.ts. */
    addressKey: text('address_key'),
    /** The key of the caller's IPv6 block, for its shared limits; null for other callers. */
    blockKey: text('block_key'),
    filename: text('filename').notNull(),
    contentType: text('content_type').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** The kind detected from the first bytes; null until then. */
    kind: text('kind', { enum: ['video', 'image', 'audio', 'other'] }),
    /** Entity tag of the object whose content was checked. Jobs read no other object; null until then. */
    etag: text('etag'),
    /** Length of the media, as the last job that read it has measured; null until then. */
    durationSeconds: real('duration_seconds'),
    /** Number of jobs that have read the upload and were not deleted. */
    readers: integer('readers').notNull().default(0),
    /** Number of its jobs that are open or done. While there are none, its bytes count against the owner's limit. */
    uses: integer('uses').notNull().default(0),
    /** Until when a signed PUT can write the file; null if none was signed. */
    putExpiresAt: time('put_expires_at'),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    /** When it was deleted. The row stays while the signed PUT can still write the file. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    index('uploads_expiry').on(table.expiresAt),
    index('uploads_account').on(table.accountId),
    index('uploads_unused_of_account')
      .on(table.accountId, table.expiresAt, table.sizeBytes)
      .where(sql`uses = 0`),
    index('uploads_unused_of_address')
      .on(table.addressKey, table.expiresAt, table.sizeBytes)
      .where(sql`uses = 0`),
    index('uploads_unused_of_block')
      .on(table.blockKey, table.expiresAt, table.sizeBytes)
      .where(sql`uses = 0 AND block_key IS NOT NULL`),
  ],
)

/** Mean processing times of recent jobs of each operation, for quotes. See rules/estimate.ts. */
export const processingRates = sqliteTable(
  'processing_rates',
  {
    serviceSlug: text('service_slug').notNull(),
    operationKey: text('operation_key').notNull(),
    /** Number of jobs measured so far. */
    jobs: integer('jobs').notNull(),
    secondsMean: real('seconds_mean').notNull(),
    /** Mean size, in minutes of media or megapixels. Only older versions of the Worker read it. */
    sizeMean: real('size_mean').notNull(),
    /** Mean time that these jobs typically take on two cores; null in rows of older versions. */
    typicalMean: real('typical_mean'),
  },
  (table) => [primaryKey({ columns: [table.serviceSlug, table.operationKey] })],
)

/** Usage events. Each commit adds at most one row per job. */
export const usageEvents = sqliteTable(
  'usage_events',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** null for an anonymous caller, whose usage counts only in totals. */
    accountId: integer('account_id').references(() => accounts.id),
    source: text('source', { enum: ['web', 'api', 'bridge'] }).notNull(),
    action: text('action', { enum: ['submit', 'done', 'failed', 'canceled', 'upload', 'deliver'] }).notNull(),
    serviceSlug: text('service_slug'),
    operationKey: text('operation_key'),
    jobId: text('job_id'),
    /** Credits charged (positive) or refunded (negative) by this event. */
    credits: integer('credits').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('usage_events_newest').on(table.accountId, table.createdAt)],
)

/** Accepted fleet reports. A repeated report changes nothing, and one with different content is refused. */
export const reports = sqliteTable(
  'callbacks',
  {
    id: text('id').primaryKey(),
    digest: text('digest').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('callbacks_age').on(table.createdAt, table.id)],
)
