import type { InStatement, InValue, Row } from '@libsql/client/web'
import { OWNED_TABLES, type OwnedTable } from '../table-owners.ts'
import { groupUpTo } from './group-up-to.ts'
import type { CommandRoute } from './route.ts'

/** Tables of the target that hold the copy of an account until all of it is there. */
export const stagingOf = (account: number, table: string) => `arriving_${account}_${table}`

/** Ids that are unique only in their database, to which nothing refers. The target assigns new ones. */
const REASSIGNED: Readonly<Record<string, string>> = { webhook_attempts: 'id' }

export const quote = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

/** A table whose rows are copied: one of an account, or a special one. */
export type CopiedTable = Pick<OwnedTable, 'name' | 'columns' | 'key'>

const OWNER = 'command'

const LEDGER_ORDER = ['account_id', 'sequence']

/** Columns by which many rows of the copy are looked up, in addition to their key. */
const ALSO_INDEXED: Readonly<Record<string, readonly string[]>> = {
  ledger: LEDGER_ORDER,
  webhook_attempts: ['delivery_id'],
}

/** Creates empty tables for the copy of an account by a command, and removes those of an earlier one. */
export async function createStaging(route: CommandRoute, tables: readonly CopiedTable[]): Promise<void> {
  await takeStaging(route)
  await dropCopies(route)
  const created = tables.flatMap(({ name, columns, key }) => {
    const staging = stagingOf(route.account, name)
    return [
      `CREATE TABLE "${staging}" AS SELECT ${quote(columns)} FROM "${name}" WHERE 0`,
      `CREATE UNIQUE INDEX "${staging}_key" ON "${staging}" (${quote(key)})`,
      ...(ALSO_INDEXED[name] === undefined
        ? []
        : [`CREATE INDEX "${staging}_index" ON "${staging}" (${quote(ALSO_INDEXED[name])})`]),
    ]
  })
  await route.target.batch([guardStaging(route), ...created], 'write')
}

/**
 * Makes all later commits of other commands that copy the account fail.
 * @param guards statements that make this fail
 */
export async function takeStaging(
  { account, target, command }: CommandRoute,
  guards: readonly InStatement[] = [],
): Promise<void> {
  const owner = stagingOf(account, OWNER)
  await target.batch(
    [
      ...guards,
      `DROP TABLE IF EXISTS "${owner}"`,
      { sql: `CREATE TABLE "${owner}" AS SELECT ? AS id`, args: [command] },
    ],
    'write',
  )
}

/** Makes a commit fail if another command has begun to copy the account since. */
export function guardStaging({ account, command }: CommandRoute): InStatement {
  return {
    sql: `INSERT INTO commit_guards SELECT 0 WHERE (SELECT id FROM "${stagingOf(account, OWNER)}") IS NOT ?`,
    args: [command],
  }
}

/** Removes the copy, unless another command has begun one. */
export async function dropStaging(route: CommandRoute): Promise<void> {
  await dropCopies(route)
  const drop = `DROP TABLE "${stagingOf(route.account, OWNER)}"`
  await route.target.batch([guardStaging(route), drop], 'write')
}

/** A large table takes time to drop. */
const ROWS_DROPPED_AT_ONCE = 50_000

async function dropCopies(route: CommandRoute): Promise<void> {
  const { account, target } = route
  const { rows } = await target.execute({
    sql: `SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB ? AND name <> ?`,
    args: [stagingOf(account, '*'), stagingOf(account, OWNER)],
  })
  if (rows.length === 0) return
  const counts = await target.batch(
    rows.map(({ name }) => `SELECT '${String(name)}' AS name, count(*) AS rows FROM "${String(name)}"`),
    'read',
  )
  const tables = counts.flatMap((result) => result.rows)
  for (const group of groupUpTo(tables, ROWS_DROPPED_AT_ONCE, (table) => Number(table.rows))) {
    await target.batch(
      [guardStaging(route), ...group.map(({ name }) => `DROP TABLE "${String(name)}"`)],
      'write',
    )
  }
}

/** Far below the limit of SQLite, at which long texts of statements cost more than they save. */
const PARAMETERS_MAX = 8000

/** Returns few statements, because each one costs the database more than a row. */
export function stageRows(
  account: number,
  { name, columns }: CopiedTable,
  rows: readonly Row[],
): InStatement[] {
  const size = Math.floor(PARAMETERS_MAX / columns.length)
  const values = `(${columns.map(() => '?').join(', ')})`
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => {
    const part = rows.slice(index * size, (index + 1) * size)
    return {
      sql: `INSERT OR REPLACE INTO "${stagingOf(account, name)}" (${quote(columns)})
        VALUES ${part.map(() => values).join(', ')}`,
      args: part.flatMap((row) => columns.map((column) => row[column] as InValue)),
    }
  })
}

export function unstageRow(account: number, { name, key }: CopiedTable, values: InValue[]): InStatement {
  return {
    sql: `DELETE FROM "${stagingOf(account, name)}" WHERE ${key.map((column) => `"${column}" = ?`).join(' AND ')}`,
    args: values,
  }
}

/** Removes the copied rows that belong to another row. */
export function unstageChildren(
  account: number,
  { name }: CopiedTable,
  column: string,
  key: InValue,
): InStatement {
  return { sql: `DELETE FROM "${stagingOf(account, name)}" WHERE "${column}" = ?`, args: [key] }
}

/**
 * Returns statements that move the copy into the tables of the target; run in one commit, they activate it.
 * @param except tables of which all rows are there already
 */
export function activateStatements(
  account: number,
  specials: readonly CopiedTable[],
  except: readonly string[] = [],
): InStatement[] {
  const insert = (table: CopiedTable, conflict: string) => {
    const columns = quote(insertedColumns(table))
    return `INSERT ${conflict} INTO "${table.name}" (${columns}) SELECT ${columns}
      FROM "${stagingOf(account, table.name)}" ORDER BY ${quote(table.key)}`
  }
  return [
    ...OWNED_TABLES.filter(({ name }) => !except.includes(name)).map((table) => insert(inOrder(table), '')),
    // What the account has here from an earlier stay is older.
    ...specials.map((table) => insert(table, 'OR REPLACE')),
  ]
}

/** The columns without those of which the target assigns the values. */
export function insertedColumns({ name, columns }: CopiedTable): string[] {
  return columns.filter((column) => column !== REASSIGNED[name])
}

/** The order matters for the ledger: each entry continues the one before. */
export function inOrder<Table extends CopiedTable>(table: Table): Table {
  return table.name === 'ledger' ? { ...table, key: LEDGER_ORDER } : table
}
