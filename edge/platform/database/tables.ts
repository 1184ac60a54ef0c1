import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, json, time } from './columns.ts'

/**
 * Always empty: inserting a row means that a condition of the commit is not met, and the CHECK rejects it
 * (guard.ts).
 */
export const commitGuards = sqliteTable('commit_guards', { holds: flag('holds').notNull() }, (table) => [
  check('commit_guards_hold', sql`${table.holds} = 1`),
])

/**
 * The databases that are reserved for names which can have only one account. Only in the home, and only where accounts
 * are spread over several databases.
 */
export const accountPlaces = sqliteTable('account_places', {
  name: text('name').primaryKey(),
  database: integer('database').notNull(),
})

/** The databases after the home that may have accounts. Only in the home. */
export const accountDatabases = sqliteTable('account_databases', {
  number: integer('number').primaryKey(),
  /** From when on accounts are placed there; null while it is emptied. */
  acceptsFrom: time('accepts_from'),
})

/**
 * Blocks of ids. The home assigns a block of 10^11 to a database, which numbers its rows in its latest block. A database
 * that is not the home has a copy of its own rows, so its number cannot be mistaken.
 */
export const idBlocks = sqliteTable('id_blocks', {
  number: integer('number').primaryKey({ autoIncrement: true }),
  database: integer('database').notNull(),
})

/** Accounts that are moving from this database to another one, or have moved and still have rows here. */
export const accountMoves = sqliteTable('account_moves', {
  accountId: integer('account_id').primaryKey(),
  /** Random; the target stores it in the commit that activates the copy. */
  moveId: text('move_id').notNull(),
  target: integer('target').notNull(),
  /** `copying` records changes; the others refuse them. `arriving` is in the target. See edge/databases/move/. */
  state: text('state', { enum: ['copying', 'leaving', 'left', 'arriving'] }).notNull(),
  /** When the account began to move; when writes were refused, once they are. */
  startedAt: time('started_at').notNull(),
  /** The last command that moves the account. Commits of earlier ones are refused. */
  command: text('command').default('').notNull(),
})

/** Moves whose copy is active in this database, until their rows are deleted in the source. */
export const accountArrivals = sqliteTable('account_arrivals', {
  moveId: text('move_id').primaryKey(),
  accountId: integer('account_id').notNull(),
})

/** Rows of a moving account that changed after they were copied. */
export const accountChanges = sqliteTable('account_changes', {
  number: integer('number').primaryKey({ autoIncrement: true }),
  accountId: integer('account_id').notNull(),
  tableName: text('table_name').notNull(),
  /** The primary key of the row, in the order of its columns. */
  key: json('key').$type<(string | number)[]>().notNull(),
})

/**
 * Where accounts of this database have moved to. A database that is restored from a backup does not know the accounts that
 * arrived after it; the others do.
 */
export const accountDepartures = sqliteTable('account_departures', {
  accountId: integer('account_id').primaryKey(),
  /** The database to which it moved last. */
  target: integer('target').notNull(),
  leftAt: time('left_at').notNull(),
})
