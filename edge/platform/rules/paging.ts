/** The place of a row in a list that is sorted by time and then by id, newest first. */
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

/** Where the next page begins. */
export interface NextPage {
  cursor: Place
  offset: number
}

/** A page of a list, and where the next one begins; null at the end of the list. */
export interface Page<Row> {
  rows: Row[]
  next: NextPage | null
}

/** The last row that a filtered list examined, and how many rows up to it matched. */
export interface ScanEnd {
  place: Place
  matched: number
}

/**
 * Returns where the next page begins. A place stays valid while newer rows arrive, so no row is skipped or repeated.
 * @param places those of the rows found, up to one more than `limit`.
 * @param end where a filtered list stopped to examine rows; undefined if it examined all.
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

/** Returns the place of a cursor; null if this service did not make it. */
export function parseCursor(text: string): Place | null {
  const [, at, id] = CURSOR.exec(text) ?? []
  return at === undefined || id === undefined ? null : { at: Number(at), id }
}
