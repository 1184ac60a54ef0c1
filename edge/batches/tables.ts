import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import type { Metadata, TemplateReference } from '../jobs/rules/labels.ts'
import { json, time } from '../platform/database/columns.ts'

/**
 * Batches of files for one operation. Each file is a job (jobs.batch_id). Counts and costs are derived from the
 * jobs and never stored.
 */
export const batches = sqliteTable(
  'batches',
  {
    id: text('id').primaryKey(),
    /** null for an anonymous batch: anyone who knows its id can read and cancel it. */
    accountId: integer('account_id').references(() => accounts.id),
    serviceSlug: text('service_slug').notNull(),
    operationKey: text('operation_key').notNull(),
    /** Parameters that all files share. */
    params: json('params').$type<Record<string, unknown>>().notNull(),
    total: integer('total').notNull(),
    /**
     * Set in the commit that canceled the open files. They were canceled by a person, or because one file exceeded
     * the length limit.
     */
    stopped: text('stopped', { enum: ['canceled', 'failed'] }),
    /** The name of the file that stopped the batch, with its error. */
    error: text('error'),
    /** Receives an event when each file and the batch ends. Each job stores a copy. */
    webhookUrl: text('webhook_url'),
    /** The client's own tag and data, which the files' jobs repeat. */
    tag: text('tag'),
    metadata: json('metadata').$type<Metadata>().notNull().default({}),
    /** Saved template of the submission, if any. */
    template: json('template').$type<TemplateReference>(),
    repeatOf: text('repeat_of'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    // Contain the filter fields of lists, so that rows of other batches are not read.
    index('batches_listed').on(
      table.accountId,
      table.createdAt,
      table.id,
      table.serviceSlug,
      table.operationKey,
    ),
    index('batches_tagged')
      .on(table.accountId, table.tag, table.createdAt, table.id, table.serviceSlug, table.operationKey)
      .where(sql`tag IS NOT NULL`),
  ],
)
