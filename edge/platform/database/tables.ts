import { sql } from 'drizzle-orm'
import { check, sqliteTable } from 'drizzle-orm/sqlite-core'
import { flag } from './columns.ts'

/** Always empty: a row represents an unmet condition of a commit, and the CHECK refuses it (guard.ts). */
export const commitGuards = sqliteTable('commit_guards', { holds: flag('holds').notNull() }, (table) => [
  check('commit_guards_hold', sql`${table.holds} = 1`),
])
