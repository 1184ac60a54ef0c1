import { and, asc, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../platform/database/client.ts'
import type { Columns } from './columns.ts'

/** Table in the export. */
export interface Section {
  name: string
  /** The database of the table; `db` by default. */
  database?: 'db' | 'logs'
  table: SQLiteTable
  owner: SQLiteColumn
  /** The column after `owner` in an index. Pages are read in the order of that index. */
  order: SQLiteColumn
  columns: Columns
  /** Columns that can hold large values. */
  large?: readonly SQLiteColumn[]
}

/** A row's place in a section. */
export interface Cursor {
  order: number | string
  row: number
}

const ROWS_MAX = 2000
/** The database returns at most 10 MB. */
const PAGE_BYTES_MAX = 2 * 1024 * 1024

/**
 * Reads the rows after a cursor, as many as fit in memory and at least one.
 * @returns the rows, and the place of the last one; undefined if there are no more.
 */
export async function readPage(
  db: Database,
  section: Section,
  accountId: number,
  after: Cursor | undefined,
): Promise<{ rows: Record<string, unknown>[]; next: Cursor | undefined }> {
  const places = await readPlaces(db, section, accountId, after)
  const next = places.at(-1)
  if (next === undefined) return { rows: [], next }
  const { table, columns, order } = section
  const row = rowOf(section)
  const rows = await db
    .select(columns)
    .from(table)
    .where(
      inArray(
        row,
        places.map((place) => place.row),
      ),
    )
    .orderBy(asc(order), asc(row))
  return { rows, next }
}

const rowOf = ({ table }: Section): SQL<number> => sql<number>`${table}.rowid`

/** Reads the positions of the next rows that fit in memory. */
async function readPlaces(
  db: Database,
  section: Section,
  accountId: number,
  after: Cursor | undefined,
): Promise<Cursor[]> {
  const { table, owner, order, large = [] } = section
  const row = rowOf(section)
  const bytes = large.map((column) => sql`coalesce(octet_length(${column}), 0)`)
  const places = await db
    .select({
      order: sql<number | string>`${order}`,
      row,
      bytes: sql<number>`${bytes.length === 0 ? sql`0` : sql.join(bytes, sql` + `)}`,
    })
    .from(table)
    .where(
      and(
        eq(owner, accountId),
        after && or(gt(order, after.order), and(eq(order, after.order), gt(row, after.row))),
      ),
    )
    .orderBy(asc(order), asc(row))
    .limit(ROWS_MAX)
  let total = 0
  const full = places.findIndex((place, index) => {
    total += place.bytes
    return index > 0 && total > PAGE_BYTES_MAX
  })
  return full === -1 ? places : places.slice(0, full)
}
