import type { InStatement, InValue, Row } from '@libsql/client/web'
import { childrenOf, OWNED_TABLES, type OwnedTable } from '../table-owners.ts'
import { withdrawStatements } from './arrive.ts'
import { groupUpTo } from './group-up-to.ts'
import type { Arrival } from './history.ts'
import { type CommandRoute, guardCommand } from './route.ts'
import { SPECIALS } from './specials.ts'
import { type CopiedTable, guardStaging, quote, stageRows, unstageChildren, unstageRow } from './staging.ts'

/** A response of the database is at most 10 MB, and a dispatch or an attempt can have more than 100 kB. */
const BYTES_AT_ONCE = 2_000_000
/** Counted for each row in addition to its texts. */
const BYTES_OF_ROW = 1000
const NUMBERS_AT_ONCE = 50_000
/** Tables with fewer rows are read together. */
const SMALL_ROWS = 1000
const CHANGED_ROWS_AT_ONCE = 40

/** Rows of one table, by a condition with the account as its parameter. */
interface Selection {
  table: CopiedTable
  condition: string
  /** The same condition for few rows. */
  conditionOfFew: string
}

interface FoundRow {
  selection: Selection
  number: number
  bytes: number
}

/** Copies the rows that the account has now. Later changes are recorded, and copied by copyChanges. */
export function copyRows(route: CommandRoute): Promise<void> {
  return copySelections(
    route,
    OWNED_TABLES.map((table) => ({
      table,
      condition: table.isOwned,
      // For few rows, SQLite finds the account of each, instead of all rows of the account.
      conditionOfFew: `${table.accountOf(table.name)} = ?`,
    })),
  )
}

/** Copies the rows that no trigger records. */
export function copySpecials(route: CommandRoute): Promise<void> {
  return copySelections(
    route,
    SPECIALS.map((table) => ({ table, condition: table.condition, conditionOfFew: table.condition })),
  )
}

async function copySelections(route: CommandRoute, selections: readonly Selection[]): Promise<void> {
  const { account, source } = route
  const results = await source.batch(
    selections.map((selection) => findRows(selection, account, -1, SMALL_ROWS)),
    'read',
  )
  const found = selections.map((selection, index) => readFound(selection, results[index]?.rows ?? []))
  await copyFound(route, found.filter((rows) => rows.length < SMALL_ROWS).flat())
  for (const [index, selection] of selections.entries()) {
    if (found[index]?.length === SMALL_ROWS) await copyLarge(route, selection)
  }
}

async function copyLarge(route: CommandRoute, selection: Selection): Promise<void> {
  for (let after = -1; ; ) {
    const { rows } = await route.source.execute(findRows(selection, route.account, after, NUMBERS_AT_ONCE))
    const found = readFound(selection, rows)
    await copyFound(route, found)
    if (found.length < NUMBERS_AT_ONCE) return
    after = found.at(-1)?.number ?? after
  }
}

function findRows(
  { table, condition }: Selection,
  account: number,
  after: number,
  limit: number,
): InStatement {
  return {
    // Without the plus, SQLite could read the rows of all accounts instead of an index.
    sql: `SELECT rowid AS number, ${bytesOf(table)} AS bytes FROM "${table.name}"
      WHERE +rowid > CAST(?2 AS INTEGER) AND (${numbered(condition)})
      ORDER BY +rowid LIMIT ${limit}`,
    args: [account, after],
  }
}

/** The bytes of texts in a row, as SQL that does not read them. */
const bytesOf = ({ columns }: CopiedTable) =>
  columns.map((column) => `coalesce(octet_length("${column}"), 0)`).join(' + ')

const readFound = (selection: Selection, rows: readonly Row[]): FoundRow[] =>
  rows.map(({ number, bytes }) => ({ selection, number: Number(number), bytes: Number(bytes) }))

/** Copies rows in parts that one request can carry. */
async function copyFound(route: CommandRoute, found: readonly FoundRow[]): Promise<void> {
  const { account, source, target } = route
  for (const part of groupUpTo(found, BYTES_AT_ONCE, ({ bytes }) => bytes + BYTES_OF_ROW)) {
    const tables = [...Map.groupBy(part, ({ selection }) => selection)]
    const results = await source.batch(
      tables.map(([{ table, conditionOfFew }, rows]) => ({
        // A number can belong to another row by now.
        sql: `SELECT ${quote(table.columns)} FROM "${table.name}"
          WHERE rowid IN (${rows.map(({ number }) => number).join(', ')}) AND (${conditionOfFew})`,
        args: [account],
      })),
      'read',
    )
    const staged = tables.flatMap(([{ table }], index) =>
      stageRows(account, table, results[index]?.rows ?? []),
    )
    await target.batch([guardStaging(route), ...staged], 'write')
  }
}

/** A condition beside which a statement has other parameters. */
const numbered = (condition: string) => condition.replaceAll(/\?(?!\d)/g, '?1')

const CHANGES_AT_ONCE = 200

/**
 * Copies one page of the recorded changes.
 * @param arrival what has arrived in the target
 * @returns the number of changes
 */
export async function copyChanges(route: CommandRoute, arrival: Arrival | null): Promise<number> {
  const { account, source } = route
  const select = {
    sql: `SELECT number, table_name, "key" FROM account_changes WHERE account_id = ? ORDER BY number LIMIT ?`,
    args: [account, CHANGES_AT_ONCE],
  }
  // A write transaction, which no replica answers.
  const [, found] = await source.batch([guardCommand(route), select], 'write')
  const changes = found?.rows ?? []
  if (changes.length === 0) return 0
  const distinct = new Map(changes.map((change) => [`${change.table_name} ${change.key}`, change]))
  for (const [name, own] of Map.groupBy(distinct.values(), ({ table_name }) => String(table_name))) {
    const table = OWNED_TABLES.find((known) => known.name === name)
    if (table !== undefined) await copyChanged(route, arrival, table, own)
  }
  const last = Number(changes.at(-1)?.number)
  // Only now: a crash before repeats the copy, which changes nothing.
  const forget = {
    sql: 'DELETE FROM account_changes WHERE account_id = ? AND number <= ?',
    args: [account, last],
  }
  await source.batch([guardCommand(route), forget], 'write')
  return changes.length
}

/** Copies the rows with these keys as they are now, or removes them from the copy. */
async function copyChanged(
  route: CommandRoute,
  arrival: Arrival | null,
  table: OwnedTable,
  changes: readonly Row[],
): Promise<void> {
  const keys = changes.map(({ key }) => JSON.parse(String(key)) as InValue[])
  for (let from = 0; from < keys.length; from += CHANGED_ROWS_AT_ONCE) {
    await copyKeys(route, arrival, table, keys.slice(from, from + CHANGED_ROWS_AT_ONCE))
  }
}

async function copyKeys(
  route: CommandRoute,
  arrival: Arrival | null,
  table: OwnedTable,
  keys: InValue[][],
): Promise<void> {
  const { account, source, target } = route
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
  const copied = keys.flatMap((key, index) => {
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
  })
  const withdrawn = arrival === null ? [] : withdrawStatements(account, arrival, table, keys)
  await target.batch([guardStaging(route), ...withdrawn, ...copied], 'write')
}
