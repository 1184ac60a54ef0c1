import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import type { Metadata } from '../jobs/rules/labels.ts'
import { json, time } from '../platform/database/columns.ts'
import { UPLOAD_SESSION_STATES } from './rules/sessions.ts'

/** Upload links. A person without an account sends one file for a job that the link's owner pays for and owns. */
export const uploadSessions = sqliteTable(
  'upload_sessions',
  {
    id: text('id').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** SHA-256 of the link's secret, which is shown only once. */
    tokenHash: text('token_hash').notNull().unique(),
    status: text('status', { enum: UPLOAD_SESSION_STATES }).notNull(),
    serviceSlug: text('service_slug').notNull(),
    operationKey: text('operation_key').notNull(),
    params: json('params').$type<Record<string, unknown>>().notNull(),
    /** Types such as "video/mp4" or "video/*". */
    allowedMimeTypes: json('allowed_mime_types').$type<string[]>().notNull(),
    maxSizeBytes: integer('max_size_bytes').notNull(),
    webhookUrl: text('webhook_url'),
    /** The owner's own tag and metadata, which are copied to the job. */
    tag: text('tag'),
    metadata: json('metadata').$type<Metadata>().notNull().default({}),
    /** Shown to the person who opens the link. */
    note: text('note'),
    /** The most recent upload, which is the only one that can be completed. */
    uploadKey: text('upload_key'),
    /** Number of started uploads. */
    attempts: integer('attempts').notNull().default(0),
    /**
     * 1 once a file was accepted or the link ended without one. The CHECK rejects the second of two concurrent
     * commits.
     */
    uses: integer('uses').notNull().default(0),
    jobId: text('job_id'),
    error: text('error'),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('upload_sessions_account').on(table.accountId, table.createdAt),
    check('upload_sessions_once', sql`${table.uses} IN (0, 1)`),
  ],
)

/** Links through which a bot sends a finished video note to a person. */
export const messengerLinks = sqliteTable(
  'messenger_links',
  {
    /** SHA-256 of the text after "start=". */
    tokenHash: text('token_hash').primaryKey(),
    botId: integer('bot_id').notNull(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    jobId: text('job_id').notNull(),
    source: text('source', { enum: ['web', 'api', 'bridge'] }).notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    /** The outbox effect of the message that uses the link. Other messages find the link already used. */
    claimedBy: text('claimed_by'),
    /** Until this time, an attempt to send may be running. */
    claimedUntil: time('claimed_until'),
    usedAt: time('used_at'),
  },
  (table) => [
    index('messenger_links_expiry').on(table.expiresAt),
    index('messenger_links_account').on(table.accountId, table.createdAt),
  ],
)

/** Messages to bots that were accepted. The messenger repeats a message until it receives a response. */
export const messengerUpdates = sqliteTable(
  'messenger_updates',
  {
    botId: integer('bot_id').notNull(),
    updateId: integer('update_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.botId, table.updateId] }),
    index('messenger_updates_age').on(table.createdAt),
  ],
)
