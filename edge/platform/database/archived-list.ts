import { desc, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { archivedBefore } from '../rules/archived-days.ts'
import { mergePlaces } from '../rules/merged-pages.ts'
import type { Page, Place, Span } from '../rules/paging.ts'
import type { Archived } from './archive.ts'
import type { Database } from './client.ts'
import { type FilteredList, type ListedTable, type RowOf, readPage } from './filtered-list.ts'

interface Reading<Query extends BatchItem<'sqlite'>> {
  /** Builds the query of the rows, in list order, from a query of their ids. */
  select(db: Database, ids: SQL): Query
  placeOf(row: RowOf<Query>): Place
}

/** Maximum number of positions that a page reads from each database. The next page continues after them. */
const PLACES_MAX = 20_000

/**
 * Reads a page of a list, by time, whose old rows can be in the archive. Pages of recent rows read only the database in
 * use.
 */
export async function readArchivedPage<Table extends ListedTable, Query extends BatchItem<'sqlite'>>(
  { db, archive, clock }: Archived & { clock: { now(): number } },
  list: FilteredList<Table>,
  span: Span,
  { select, placeOf }: Reading<Query>,
): Promise<Page<RowOf<Query>>> {
  const recent = await readPage(db, list, span, { select: (ids) => select(db, ids), placeOf })
  const oldest = recent.next?.cursor.at ?? list.period?.created_after ?? 0
  if (archive === null || oldest >= archivedBefore(clock.now())) return recent
  // The archive is read last: a row that moves after the first read is found here.
  const isFirst = span.offset === 0
  const ours = isFirst ? { ...recent, rows: recent.rows.map(placeOf) } : await readPlaces(db, list, span)
  const archived = await readPlaces(archive, list, span)
  if (archived.rows.length === 0 && archived.next === null) return recent
  const { places, next } = mergePlaces([ours, archived], span)
  const rows = new Map(recent.rows.map((row) => [placeOf(row).id, row]))
  for (const from of isFirst ? [archive] : [db, archive]) {
    const missing = places.filter((id) => !rows.has(id))
    if (missing.length === 0) break
    const found: unknown = await select(from, sql.join(missing, sql`, `))
    for (const row of found as RowOf<Query>[]) rows.set(placeOf(row).id, row)
  }
  return { rows: places.flatMap((id) => rows.get(id) ?? []), next }
}

/** Reads the positions of a span without its offset, which counts the rows of both databases. */
async function readPlaces<Table extends ListedTable>(
  db: Database,
  list: FilteredList<Table>,
  span: Span,
): Promise<Page<Place>> {
  const { id, createdAt } = list.table
  const wide = { ...span, offset: 0, limit: Math.min(PLACES_MAX, span.offset + span.limit) }
  const page = await readPage(db, list, wide, {
    select: (ids) =>
      db
        .select({ at: sql<number>`${createdAt}`, id: sql<string>`${id}` })
        .from(list.table)
        .where(sql`${id} IN (${ids})`)
        .orderBy(desc(createdAt), desc(id)),
    // The type of a row of a generic table is unknown.
    placeOf: (row) => row as Place,
  })
  return page as Page<Place>
}
