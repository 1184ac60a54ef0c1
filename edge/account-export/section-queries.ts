import { and, asc, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Archived } from '../platform/database/archive.ts'
import type { Database } from '../platform/database/client.ts'
import type { Columns } from './columns.ts'

/** Table in the export. */
export interface Section {
  name: string
  /** The database of the table; `db` by default. */
  database?: 'db' | 'logs'
  /** Rows can be in the archive, too. The table has ids, which are the same in both. */
  isArchived?: true
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
  row: number | string
}

type ExportedRow = Record<string, unknown> & { id?: Cursor['row'] }

const ROWS_MAX = 2000
/** The database returns at most 10 MB. */
const PAGE_BYTES_MAX = 2 * 1024 * 1024

/**
 * Reads the rows after a cursor, as many as fit in memory and at least one.
 * @returns the rows, and the place of the last one; undefined if there are no more.
 */
export async function readPage(
  { db, archive }: Archived,
  section: Section,
  accountId: number,
  after: Cursor | undefined,
): Promise<{ rows: ExportedRow[]; next: Cursor | undefined }> {
  const pages = [await readPlaces(db, section, accountId, after)]
  // One after the other: a row that moves after the first read is in the second.
  if (archive !== null) pages.push(await readPlaces(archive, section, accountId, after))
  const places = mergePlaces(pages)
  const next = places.at(-1)
  if (next === undefined) return { rows: [], next }
  const ids = places.map((place) => place.row)
  const rows = await readRows(db, section, ids)
  if (archive === null || rows.length === ids.length) return { rows, next }
  const byId = new Map(rows.map((row) => [row.id, row] as const))
  const missing = ids.filter((id) => !byId.has(id))
  for (const row of await readRows(archive, section, missing)) byId.set(row.id, row)
  return { rows: ids.map((id) => byId.get(id)).filter((row) => row !== undefined), next }
}

async function readRows(
  db: Database,
  section: Section,
  rows: readonly Cursor['row'][],
): Promise<ExportedRow[]> {
  const { table, columns, order } = section
  const row = rowOf(section)
  const found: unknown[] = await db
    .select(columns)
    .from(table)
    .where(inArray(row, [...rows]))
    .orderBy(asc(order), asc(row))
  return found as ExportedRow[]
}

interface PlacesPage {
  places: Cursor[]
  /** More rows may follow. */
  isCut: boolean
}

/** Merges the places of two databases up to the first end of a page, after which one of them has not been read. */
function mergePlaces(pages: readonly PlacesPage[]): Cursor[] {
  if (pages.length === 1) return pages[0]?.places ?? []
  const [end] = pages.flatMap(({ places, isCut }) => (isCut ? (places.at(-1) ?? []) : [])).toSorted(compare)
  const byRow = new Map(pages.flatMap(({ places }) => places.map((place) => [place.row, place])))
  const merged = [...byRow.values()].toSorted(compare)
  return end === undefined ? merged : merged.filter((place) => compare(place, end) <= 0)
}

function compare(one: Cursor, other: Cursor): number {
  if (one.order !== other.order) return one.order < other.order ? -1 : 1
  return one.row < other.row ? -1 : one.row > other.row ? 1 : 0
}

const rowOf = ({ table, isArchived }: Section): SQL<number | string> =>
  isArchived ? sql`${table}.id` : sql`${table}.rowid`

/** Reads the positions of the next rows that fit in memory. */
async function readPlaces(
  db: Database,
  section: Section,
  accountId: number,
  after: Cursor | undefined,
): Promise<PlacesPage> {
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
  if (full !== -1) return { places: places.slice(0, full), isCut: true }
  return { places, isCut: places.length === ROWS_MAX }
}
