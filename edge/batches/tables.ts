import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { json, time } from '../platform/database/columns.ts'

/**
 * Sets of files that go through one operation; each file is a job (jobs.batch_id). How many of them are
 * done, failed or canceled, and what they cost, is never kept here: it follows from the jobs.
 */
export const batches = sqliteTable(
  'batches',
  {
    id: text('id').primaryKey(),
    /** null: an anonymous caller's batch, whose id is the capability to read and to cancel it. */
    accountId: integer('account_id').references(() => accounts.id),
    serviceSlug: text('service_slug').notNull(),
    operationKey: text('operation_key').notNull(),
    /** What all files have in common. */
    params: json('params').$type<Record<string, unknown>>().notNull(),
    total: integer('total').notNull(),
    /** Set in the commit that canceled the files which were still open: by a person, or for an over-long file. */
    stopped: text('stopped', { enum: ['canceled', 'failed'] }),
    /** The file that stopped it, by name, and what was wrong with it. */
    error: text('error'),
    repeatOf: text('repeat_of'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('batches_account').on(table.accountId, table.createdAt)],
)
