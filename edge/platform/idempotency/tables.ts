import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from '../database/columns.ts'

/**
 * Requests with an Idempotency-Key, kept for a day. `completions` allows only one of two concurrent responses to
 * commit.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    /** The owner of the key: an account, or an anonymous caller's address. */
    owner: text('owner').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the method, path and body. */
    fingerprint: text('fingerprint').notNull(),
    createdAt: time('created_at').notNull(),
    /** When the lock expires. No other attempt starts earlier; after a crash, the next attempt can start then. */
    lockedUntil: time('locked_until').notNull(),
    completions: integer('completions').notNull().default(0),
    /** Status and encrypted body of the first response; null while the request is running. */
    status: integer('status'),
    answer: text('answer'),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
    check('idempotency_keys_once', sql`${table.completions} IN (0, 1)`),
  ],
)
