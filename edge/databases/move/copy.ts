import type { InValue, Row } from '@libsql/client/web'
import type { Database } from '../../platform/database/client.ts'
import { childrenOf, OWNED_TABLES, type OwnedTable } from '../table-owners.ts'
import { type CopiedTable, quote, stageRows, unstageChildren, unstageRow } from './staging.ts'

type Client = Database['$client']

/** A move of an account between two databases. */
export interface Route {
  account: number
  source: Client
  target: Client
}

/** A response of the database is at most 10 MB, and a dispatch or an attempt can have more than 100 kB. */
const ROWS_AT_ONCE = 1000
const BYTES_AT_ONCE = 2_000_000
const NUMBERS_AT_ONCE = 50_000
const CHANGED_ROWS_AT_ONCE = 40

/** Copies the rows that the account has now. Later changes are recorded, and copied by copyChanges. */
export async function copyRows(route: Route): Promise<void> {
  for (const table of OWNED_TABLES) {
    // For few rows, SQLite finds the account of each, instead of all rows of the account.
    await copyTable(route, table, table.isOwned, `${table.accountOf(table.name)} = ?`)
  }
}

/** Copies the rows that match a condition with the account as its parameter. */
export async function copyTable(
  { account, source, target }: Route,
  table: CopiedTable,
  condition: string,
  conditionOfFew = condition,
): Promise<void> {
  for (let after = -1; ; ) {
    const { rows: found } = await source.execute({
      // Without the plus, SQLite could read the rows of all accounts instead of an index.
      sql: `SELECT rowid AS number, ${bytesOf(table)} AS bytes FROM "${table.name}"
        WHERE +rowid > CAST(?2 AS INTEGER) AND (${numbered(condition)})
        ORDER BY +rowid LIMIT ${NUMBERS_AT_ONCE}`,
      args: [account, after],
    })
    for (const part of packRows(found)) {
      // A number can belong to another row by now.
      const { rows } = await source.execute({
        sql: `SELECT ${quote(table.columns)} FROM "${table.name}"
          WHERE rowid IN (${part.join(', ')}) AND (${conditionOfFew})`,
        args: [account],
      })
      await target.batch(stageRows(account, table, rows), 'write')
    }
    if (found.length < NUMBERS_AT_ONCE) return
    after = Number(found.at(-1)?.number)
  }
}

/** The bytes of texts in a row, as SQL that does not read them. */
const bytesOf = ({ columns }: CopiedTable) =>
  columns.map((column) => `coalesce(octet_length("${column}"), 0)`).join(' + ')

/** Divides the numbers of rows into parts that one request can carry. */
function packRows(found: readonly Row[]): number[][] {
  const parts: number[][] = []
  let bytes = 0
  for (const row of found) {
    bytes += Number(row.bytes)
    const part = parts.at(-1)
    if (part === undefined || part.length === ROWS_AT_ONCE || bytes > BYTES_AT_ONCE) {
      parts.push([Number(row.number)])
      bytes = Number(row.bytes)
    } else part.push(Number(row.number))
  }
  return parts
}

/** A condition beside which a statement has other parameters. */
const numbered = (condition: string) => condition.replaceAll(/\?(?!\d)/g, '?1')

const CHANGES_AT_ONCE = 200

/** Copies one page of the recorded changes. @returns their number */
export async function copyChanges(route: Route): Promise<number> {
  const { account, source } = route
  const { rows: changes } = await source.execute({
    sql: `SELECT number, table_name, "key" FROM account_changes WHERE account_id = ? ORDER BY number LIMIT ?`,
    args: [account, CHANGES_AT_ONCE],
  })
  if (changes.length === 0) return 0
  const distinct = new Map(changes.map((change) => [`${change.table_name} ${change.key}`, change]))
  for (const [name, own] of Map.groupBy(distinct.values(), ({ table_name }) => String(table_name))) {
    const table = OWNED_TABLES.find((known) => known.name === name)
    if (table !== undefined) await copyChanged(route, table, own)
  }
  const last = Number(changes.at(-1)?.number)
  // Only now: a crash before repeats the copy, which changes nothing.
  await source.execute({
    sql: 'DELETE FROM account_changes WHERE account_id = ? AND number <= ?',
    args: [account, last],
  })
  return changes.length
}

/** Copies the rows with these keys as they are now, or removes them from the copy. */
async function copyChanged(route: Route, table: OwnedTable, changes: readonly Row[]): Promise<void> {
  const keys = changes.map(({ key }) => JSON.parse(String(key)) as InValue[])
  for (let from = 0; from < keys.length; from += CHANGED_ROWS_AT_ONCE) {
    await copyKeys(route, table, keys.slice(from, from + CHANGED_ROWS_AT_ONCE))
  }
}

async function copyKeys({ account, source, target }: Route, table: OwnedTable, keys: InValue[][]) {
  const isRow = table.key.map((column) => `"${column}" = ?`).join(' AND ')
  const select = `SELECT ${quote(table.columns)} FROM "${table.name}" WHERE`
  const children = childrenOf(table.name)
  const results = await source.batch(
    keys.flatMap((key) => [
      { sql: `${select} ${isRow} AND ${table.accountOf(table.name)} = ?`, args: [...key, account] },
      // A row is sometimes inserted before the one that it belongs to, and its account was not known then.
      ...children.map(({ child, column }) => ({
        sql: `SELECT ${quote(child.columns)} FROM "${child.name}" WHERE "${column}" = ?`,
        args: [key[0] ?? null],
      })),
    ]),
    'read',
  )
  const stride = 1 + children.length
  await target.batch(
    keys.flatMap((key, index) => {
      const [row] = results[index * stride]?.rows ?? []
      return [
        unstageRow(account, table, key),
        ...children.map(({ child, column }) => unstageChildren(account, child, column, key[0] ?? null)),
        ...(row === undefined ? [] : stageRows(account, table, [row])),
        // A row without the one that it belongs to stays where it is.
        ...children.flatMap(({ child }, position) =>
          stageRows(
            account,
            child,
            row === undefined ? [] : (results[index * stride + 1 + position]?.rows ?? []),
          ),
        ),
      ]
    }),
    'write',
  )
}
