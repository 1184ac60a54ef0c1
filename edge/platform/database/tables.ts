import { sql } from 'drizzle-orm'
import { check, sqliteTable } from 'drizzle-orm/sqlite-core'
import { flag } from './columns.ts'

/**
 * Always empty: inserting a row means that a condition of the commit is not met, and the CHECK rejects it
 * (guard.ts).
 */
export const commitGuards = sqliteTable('commit_guards', { holds: flag('holds').notNull() }, (table) => [
  check('commit_guards_hold', sql`${table.holds} = 1`),
])
