import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from '../database/columns.ts'

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
