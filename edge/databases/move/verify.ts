import type { Row } from '@libsql/client/web'
import { OWNED_TABLES } from '../table-owners.ts'
import { type Arrival, isHistory } from './history.ts'
import type { CommandRoute } from './route.ts'
import { SPECIALS } from './specials.ts'
import { insertedColumns, quote, stagingOf } from './staging.ts'

/**
 * Returns figures about all columns, which both databases must give: the lengths of all values, and the sums of all whole
 * numbers. Remainders, because SQLite adds whole numbers exactly only below 2^63. Reads no long text.
 */
function figuresOf(columns: readonly string[]): string {
  const sums = columns.flatMap((column) => [
    `sum(octet_length("${column}"))`,
    `sum(CASE typeof("${column}") WHEN 'integer' THEN "${column}" % 1000000007 END)`,
  ])
  return ['count(*) AS rows', ...sums].join(', ')
}

/**
 * Compares the copy, including what has arrived, with the source, in which nothing of the account changes any more.
 * @throws Error that names the first difference
 */
export async function verifyCopy(route: CommandRoute, arrival: Arrival | null): Promise<void> {
  for (const { name, original, copy } of await readFigures(route, arrival)) {
    // A task may acknowledge an effect while it is copied; sending it twice changes nothing.
    if (original !== copy && name !== 'outbox')
      throw new Error(`The copy of ${name} differs: ${copy} instead of ${original}. Run the command again.`)
  }
}

/** Reads the figures of all tables in both databases, which takes most of the time in which writes are refused. */
export async function readFigures(
  { account, source, target }: CommandRoute,
  arrival: Arrival | null,
): Promise<{ name: string; original: string; copy: string }[]> {
  const tables = [
    ...OWNED_TABLES.map((table) => ({ ...table, condition: table.isOwned })),
    ...SPECIALS.filter(({ is_moved }) => is_moved),
  ]
  const [originals, copies] = await Promise.all([
    source.batch(
      tables.map((table) => ({
        sql: `SELECT ${figuresOf(insertedColumns(table))} FROM "${table.name}" WHERE ${table.condition}`,
        args: [account],
      })),
      'read',
    ),
    target.batch(
      tables.map((table) => {
        const columns = insertedColumns(table)
        const staged = `SELECT ${quote(columns)} FROM "${stagingOf(account, table.name)}"`
        if (arrival === null || !isHistory(table.name)) return `SELECT ${figuresOf(columns)} FROM (${staged})`
        const arrived = `SELECT ${quote(columns)} FROM "${table.name}" WHERE ${table.condition}`
        const sql = `SELECT ${figuresOf(columns)} FROM (${staged} UNION ALL ${arrived})`
        return { sql, args: [account] }
      }),
      'read',
    ),
  ])
  const textOf = (row: Row | undefined) => JSON.stringify(row === undefined ? null : Object.values(row))
  return tables.map(({ name }, index) => ({
    name,
    original: textOf(originals[index]?.rows[0]),
    copy: textOf(copies[index]?.rows[0]),
  }))
}
