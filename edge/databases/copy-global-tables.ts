import type { InStatement, InValue, Row } from '@libsql/client/web'
import { getTableColumns } from 'drizzle-orm'
import type { Deps } from '../deps.ts'
import type { Database } from '../platform/database/client.ts'
import { isLostRace } from '../platform/database/commit.ts'
import { settleAll } from '../platform/settle-all.ts'
import { GLOBAL_TABLES, keyOf, LOCAL_COLUMNS, TABLES } from './table-owners.ts'

type Client = Pick<Database['$client'], 'batch'>

/** Copies the global tables to every database. Attempts all, then throws the first failure. */
export async function copyToAll({ databases: [home, ...others] }: Pick<Deps, 'databases'>): Promise<void> {
  await settleAll(others.map((other) => copyGlobalTables(home.$client, other.$client)))
}

/** The scheduled task: completes a copy that failed. Changes nothing in the home. */
export async function copyFromHome({ databases: [home], db }: Pick<Deps, 'databases' | 'db'>): Promise<void> {
  if (db.$number !== 0) await copyGlobalTables(home.$client, db.$client)
}

/** More copies than run concurrently. The scheduled task repeats the copy. */
const ROUNDS_MAX = 10

/**
 * Makes the global tables of a database equal to those of the home, in commits that change only rows that differ. Joins
 * and foreign keys then work in every database.
 */
export async function copyGlobalTables(home: Client, other: Client): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      return await copyDifferences(home, other)
    } catch (error) {
      if (!isLostRace(error) || round === ROUNDS_MAX) throw error
    }
  }
}

/** The number of copies that changed a database, which a commit can depend on. */
const COPIES = `SELECT coalesce(max(through), 0) AS copies FROM rollups WHERE name = 'global tables'`

/**
 * Reads the database before the home, and commits only if no other copy changed it since: a copy that read the home
 * earlier cannot put old rows back.
 */
async function copyDifferences(home: Client, other: Client): Promise<void> {
  const reads = GLOBAL_TABLES.map((name) => `SELECT * FROM "${name}"`)
  const [copied, ...present] = await other.batch([COPIES, ...reads], 'read')
  const wanted = await home.batch(reads, 'read')
  const changes = GLOBAL_TABLES.flatMap((name, index) =>
    differences(describe(name), wanted[index]?.rows ?? [], present[index]?.rows ?? []),
  )
  if (changes.length === 0) return
  const copies = Number(copied?.rows[0]?.copies)
  await other.batch(
    [
      { sql: `INSERT INTO commit_guards SELECT 0 WHERE (${COPIES}) <> ?`, args: [copies] },
      {
        sql: `INSERT INTO rollups (name, through) VALUES ('global tables', ?)
          ON CONFLICT (name) DO UPDATE SET through = excluded.through`,
        args: [copies + 1],
      },
      // A row can refer to one that a later statement inserts or deletes.
      'PRAGMA defer_foreign_keys = ON',
      ...changes,
    ],
    'write',
  )
}

/** Returns the names of the global tables that differ from those of the home. */
export async function findDifferences(home: Client, other: Client): Promise<string[]> {
  const reads = GLOBAL_TABLES.map((name) => `SELECT * FROM "${name}"`)
  const [wanted, present] = await Promise.all([home.batch(reads, 'read'), other.batch(reads, 'read')])
  return GLOBAL_TABLES.filter(
    (name, index) =>
      differences(describe(name), wanted[index]?.rows ?? [], present[index]?.rows ?? []).length > 0,
  )
}

interface GlobalTable {
  name: string
  columns: string[]
  key: string[]
}

function describe(name: string): GlobalTable {
  const table = TABLES.get(name)
  if (table === undefined) throw new Error(`there is no table ${name}`)
  const local = LOCAL_COLUMNS[name] ?? []
  const columns = Object.values(getTableColumns(table)).map((column) => column.name)
  return { name, columns: columns.filter((column) => !local.includes(column)), key: keyOf(table) }
}

function differences(table: GlobalTable, wanted: readonly Row[], present: readonly Row[]): InStatement[] {
  const { name, columns, key } = table
  const textOf = (row: Row, names: readonly string[]) => JSON.stringify(names.map((column) => row[column]))
  const known = new Map(present.map((row) => [textOf(row, key), textOf(row, columns)]))
  const kept = new Set(wanted.map((row) => textOf(row, key)))
  const removed = present.filter((row) => !kept.has(textOf(row, key)))
  const changed = wanted.filter((row) => known.get(textOf(row, key)) !== textOf(row, columns))
  const valuesOf = (row: Row, names: readonly string[]) => names.map((column) => row[column] as InValue)
  return [
    ...removed.map((row) => ({
      sql: `DELETE FROM "${name}" WHERE ${key.map((column) => `"${column}" = ?`).join(' AND ')}`,
      args: valuesOf(row, key),
    })),
    ...changed.map((row) => ({ sql: upsert(table), args: valuesOf(row, columns) })),
  ]
}

function upsert({ name, columns, key }: GlobalTable): string {
  const quoted = (names: readonly string[]) => names.map((column) => `"${column}"`).join(', ')
  const others = columns.filter((column) => !key.includes(column))
  const change =
    others.length === 0
      ? 'NOTHING'
      : `UPDATE SET ${others.map((column) => `"${column}" = excluded."${column}"`).join(', ')}`
  return `INSERT INTO "${name}" (${quoted(columns)}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${quoted(key)}) DO ${change}`
}
