/** Position of a row in a list sorted by time and then by id, newest first. */
export interface Place {
  at: number
  id: string
}

/** Start of a page: the newest row or the row after the cursor, skipping `offset` more rows. */
export interface Span {
  cursor?: Place | undefined
  offset: number
  limit: number
}

/** Start of the next page. */
export interface NextPage {
  cursor: Place
  offset: number
}

/** Page of a list, and the start of the next page, which is null at the end of the list. */
export interface Page<Row> {
  rows: Row[]
  next: NextPage | null
}

/** The last row that a filtered list examined, and the number of matches up to that row. */
export interface ScanEnd {
  place: Place
  matched: number
}

/**
 * Returns the start of the next page. A position stays valid while newer rows arrive, so no row is skipped or repeated.
 * @param places positions of the rows found, up to `limit` plus one.
 * @param end the last row that a filtered list examined; undefined if it examined all rows.
 */
export function findNextPage(
  places: readonly Place[],
  { limit, offset }: Span,
  end?: ScanEnd | undefined,
): NextPage | null {
  const last = places[limit - 1]
  if (last !== undefined && places.length > limit) return { cursor: last, offset: 0 }
  if (end === undefined) return null
  return { cursor: end.place, offset: Math.max(0, offset - end.matched) }
}

const CURSOR = /^(\d{1,16})\.([\w:-]{1,100})$/

/** Formats a place as the `cursor` parameter of a URL. The cursor is opaque to clients. */
export function formatCursor({ at, id }: Place): string {
  return `${at}.${id}`
}

/** Returns the position that a cursor stands for, or null if this service did not create the cursor. */
export function parseCursor(text: string): Place | null {
  const [, at, id] = CURSOR.exec(text) ?? []
  return at === undefined || id === undefined ? null : { at: Number(at), id }
}
