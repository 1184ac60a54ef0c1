import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { json, time } from '../platform/database/columns.ts'

/**
 * Batches of files for one operation; each file is a job (jobs.batch_id). Counts and costs are derived from
 * the jobs and never stored.
 */
export const batches = sqliteTable(
  'batches',
  {
    id: text('id').primaryKey(),
    /** null for an anonymous batch: knowing its id allows reading and canceling it. */
    accountId: integer('account_id').references(() => accounts.id),
    serviceSlug: text('service_slug').notNull(),
    operationKey: text('operation_key').notNull(),
    /** Parameters shared by all files. */
    params: json('params').$type<Record<string, unknown>>().notNull(),
    total: integer('total').notNull(),
    /**
     * Set in the commit that canceled the open files: by a person, or because of a file over the length
     * limit.
     */
    stopped: text('stopped', { enum: ['canceled', 'failed'] }),
    /** The file that stopped the batch, and its error. */
    error: text('error'),
    repeatOf: text('repeat_of'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('batches_account').on(table.accountId, table.createdAt)],
)
