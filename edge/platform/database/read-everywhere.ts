import type { Deps } from '../../deps.ts'
import { ApiError } from '../errors/api-error.ts'
import { faultAt } from '../errors/rules/field-faults.ts'
import { mergePages } from '../rules/merged-pages.ts'
import type { Page, Place, Span } from '../rules/paging.ts'
import type { Database } from './client.ts'
import { everyDatabase, isSpread } from './find-place.ts'

/** Each database returns all rows up to the end of the page, which must fit in memory together. */
const OFFSET_MAX = 1000

/** Returns the bounds of what each database returns. Throws 422 for an offset that is too large. */
function wholeOf({ limit, offset }: { limit: number; offset: number }) {
  if (offset > OFFSET_MAX) {
    throw new ApiError('validation_failed', { faults: [faultAt(['query', 'offset'], 'offset_too_large')] })
  }
  return { offset: 0, limit: limit + offset }
}

/** Reads a page of a list of all accounts. With one database, this is one read. */
export async function readPageEverywhere<Row>(
  deps: Deps,
  span: Span,
  read: (own: Deps, span: Span) => Promise<Page<Row>>,
  placeOf: (row: Row) => Place,
): Promise<Page<Row>> {
  if (!isSpread(deps)) return read(deps, span)
  const whole = { ...span, ...wholeOf(span) }
  // All databases have one archive, which is read with the first of them.
  const pages = everyDatabase(deps).map((own, index) =>
    read(index === 0 ? own : { ...own, archive: null }, whole),
  )
  return mergePages(await Promise.all(pages), span, placeOf)
}

/** Reads the first rows of a list of all accounts, of which each database returns up to `limit` plus `offset`. */
export async function readRowsEverywhere<Row, Bounds extends { limit: number; offset: number }>(
  deps: Deps,
  bounds: Bounds,
  read: (db: Database, bounds: Bounds) => PromiseLike<Row[]>,
  compare: (one: Row, other: Row) => number,
): Promise<Row[]> {
  if (!isSpread(deps)) return read(deps.db, bounds)
  const { limit, offset } = bounds
  const rows = await readEverywhere(deps, async (db) => read(db, { ...bounds, ...wholeOf(bounds) }))
  return rows
    .flat()
    .toSorted(compare)
    .slice(offset, offset + limit)
}

/** Reads something from every database. */
export function readEverywhere<Found>(deps: Deps, read: (db: Database) => Promise<Found>): Promise<Found[]> {
  return Promise.all(everyDatabase(deps).map(({ db }) => read(db)))
}
