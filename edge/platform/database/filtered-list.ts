import { and, desc, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { alias, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { findNextPage, type Page, type Place, type Span } from '../rules/paging.ts'
import type { Database } from './client.ts'

/** A table that is listed by time, or by another column, and then by id, newest first. */
export type ListedTable = SQLiteTable & { id: SQLiteColumn; createdAt: SQLiteColumn }

/** Range of creation times, in Unix milliseconds: at or after `created_after`, and before `created_before`. */
export interface Period {
  created_after?: number | undefined
  created_before?: number | undefined
}

/** A list whose work is bounded for every filter. */
export interface FilteredList<Table extends ListedTable> {
  table: Table
  /** Column that sorts the list, instead of the creation time. */
  rank?: (row: Table) => SQLiteColumn
  /** Matches rows by fields of an index in list order. */
  indexed: SQL | undefined
  period?: Period
  /** Matches those rows by their other fields, which the index should contain. */
  matches?: (row: Table) => SQL | undefined
  /** Fields that `matches` reads. */
  fields?: readonly SQLiteColumn[]
  /** Maximum number of rows that a page with `matches` examines. The next page continues from there. */
  scanned_max: number
}

/**
 * Reads a page of a list, and the start of the next page.
 * @param select builds the query of the rows, in list order, from a query of their ids.
 */
export async function readPage<Table extends ListedTable, Query extends BatchItem<'sqlite'>>(
  db: Database,
  list: FilteredList<Table>,
  span: Span,
  { select, placeOf }: { select: (ids: SQL) => Query; placeOf: (row: RowOf<Query>) => Place },
): Promise<Page<RowOf<Query>>> {
  // One more row shows that there is a next page.
  const query = select(pageIds(list, { ...span, limit: span.limit + 1 }))
  // One transaction, so that both queries examine the same rows.
  const [found, [end]] = isScan(list)
    ? await db.batch([query, scanEndQuery(db, list, span)])
    : [await query, []]
  const rows = found as RowOf<Query>[]
  const scanEnd = end && { place: { at: end.at, id: end.id }, matched: end.matched }
  return { rows: rows.slice(0, span.limit), next: findNextPage(rows.map(placeOf), span, scanEnd) }
}

export type RowOf<Query extends BatchItem<'sqlite'>> = Query['_']['result'] extends (infer Row)[]
  ? Row
  : never

/** Selects the ids of a page. */
export function pageIds<Table extends ListedTable>(
  list: FilteredList<Table>,
  { cursor, limit, offset }: Span,
): SQL {
  const page = sql`LIMIT ${limit} OFFSET ${offset}`
  if (!isScan(list)) return sql`SELECT ${list.table.id} ${inOrder(list, cursor)} ${page}`
  const scanned = scannedOf(list)
  return sql`SELECT ${scanned.id} ${matchingRows(list, cursor)} ${orderOf(list, scanned)} ${page}`
}

/**
 * Selects the last row that a scan examines, and the number of matches up to that row. Selects nothing if the scan
 * examines all rows.
 */
export function scanEndQuery<Table extends ListedTable>(
  db: Database,
  list: FilteredList<Table>,
  { cursor }: Pick<Span, 'cursor'>,
) {
  return db
    .select({
      at: sql`${rankOf(list)}`.mapWith(Number),
      id: sql`${list.table.id}`.mapWith(String),
      matched: sql`(SELECT count(*) ${matchingRows(list, cursor)})`.mapWith(Number),
    })
    .from(list.table)
    .where(foundBy(list, cursor))
    .orderBy(desc(rankOf(list)), desc(list.table.id))
    .limit(1)
    .offset(list.scanned_max - 1)
}

/** Returns the column that sorts a list. */
function rankOf<Table extends ListedTable>(list: FilteredList<Table>, row: Table = list.table): SQLiteColumn {
  return list.rank?.(row) ?? row.createdAt
}

function orderOf<Table extends ListedTable>(list: FilteredList<Table>, row: Table = list.table): SQL {
  return sql`ORDER BY ${rankOf(list, row)} DESC, ${row.id} DESC`
}

function isScan<Table extends ListedTable>({ table, matches }: FilteredList<Table>): boolean {
  return matches?.(table) !== undefined
}

function scannedOf<Table extends ListedTable>({ table }: FilteredList<Table>): Table {
  return alias(table, 'scanned') as unknown as Table
}

/** Matches rows among the first rows that an index finds. */
function matchingRows<Table extends ListedTable>(list: FilteredList<Table>, cursor: Span['cursor']): SQL {
  const { table, fields = [], matches, scanned_max } = list
  const columns = sql.join([table.id, rankOf(list), ...fields], sql`, `)
  const scanned = sql`SELECT ${columns} ${inOrder(list, cursor)} LIMIT ${scanned_max}`
  return sql`FROM (${scanned}) AS ${sql.identifier('scanned')} WHERE ${matches?.(scannedOf(list))}`
}

function inOrder<Table extends ListedTable>(list: FilteredList<Table>, cursor: Span['cursor']): SQL {
  const where = foundBy(list, cursor)
  const condition = where === undefined ? sql`` : sql`WHERE ${where}`
  return sql`FROM ${list.table} ${condition} ${orderOf(list)}`
}

function foundBy<Table extends ListedTable>(
  list: FilteredList<Table>,
  cursor: Span['cursor'],
): SQL | undefined {
  const { indexed, period: { created_after, created_before } = {} } = list
  const { id, createdAt } = list.table
  return and(
    indexed,
    created_after === undefined ? undefined : sql`${createdAt} >= ${created_after}`,
    // Use only the lower of the two bounds: an index search uses one bound, and would examine all rows down to the
    // other.
    isWithin(cursor, created_before)
      ? sql`(${rankOf(list)}, ${id}) < (${cursor.at}, ${cursor.id})`
      : created_before === undefined
        ? undefined
        : sql`${createdAt} < ${created_before}`,
  )
}

function isWithin(cursor: Place | undefined, created_before = Number.POSITIVE_INFINITY): cursor is Place {
  return cursor !== undefined && cursor.at < created_before
}
