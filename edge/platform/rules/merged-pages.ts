import type { NextPage, Page, Place, Span } from './paging.ts'

/**
 * Merges the positions of a list in several databases, each from the cursor of the span. A row can be in two of them.
 * @param pages without offset, as many rows as the span needs or as the database examines at once
 * @returns the ids of the page, and the start of the next one
 */
export function mergePlaces(
  pages: readonly Page<Place>[],
  { limit, offset }: Span,
): { places: string[]; next: NextPage | null } {
  // Positions after the end of the shortest page are not known in all databases yet.
  const [end] = pages.flatMap(({ next }) => next?.cursor ?? []).toSorted(comparePlaces)
  const byId = new Map(pages.flatMap(({ rows }) => rows.map((place) => [place.id, place])))
  const merged = [...byId.values()]
    .toSorted(comparePlaces)
    .filter((place) => end === undefined || comparePlaces(place, end) <= 0)
  const page = merged.slice(offset, offset + limit)
  return { places: page.map(({ id }) => id), next: findNext(merged, page.at(-1), end, { limit, offset }) }
}

/**
 * Merges pages of the same list from several databases into one page.
 * @param pages each from the cursor of the span, with an offset of 0 and a limit of `limit` plus `offset`
 */
export function mergePages<Row>(
  pages: readonly Page<Row>[],
  span: Span,
  placeOf: (row: Row) => Place,
): Page<Row> {
  const positions = pages.map((page) => ({ ...page, rows: page.rows.map(placeOf) }))
  const { places, next } = mergePlaces(positions, span)
  const rows = new Map(pages.flatMap((page) => page.rows.map((row) => [placeOf(row).id, row])))
  return { rows: places.flatMap((id) => rows.get(id) ?? []), next }
}

function findNext(
  merged: readonly Place[],
  last: Place | undefined,
  end: Place | undefined,
  { limit, offset }: Span,
): NextPage | null {
  if (last !== undefined && merged.length > offset + limit) return { cursor: last, offset: 0 }
  return end === undefined ? null : { cursor: end, offset: Math.max(0, offset - merged.length) }
}

/** Newest first, and then by id. */
function comparePlaces(one: Place, other: Place): number {
  return other.at - one.at || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0)
}
