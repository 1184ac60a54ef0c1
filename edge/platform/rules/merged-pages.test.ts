import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergePlaces } from './merged-pages.ts'
import { findNextPage, type NextPage, type Page, type Place, type Span } from './paging.ts'

const newestFirst = (one: Place, other: Place) =>
  other.at - one.at || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0)

/** Reads a page of one database, which examines a limited number of rows. */
function readPage(rows: readonly Place[], { cursor, limit }: Span, examined_max: number): Page<Place> {
  const rest = rows
    .toSorted(newestFirst)
    .filter((row) => cursor === undefined || newestFirst(cursor, row) < 0)
    .slice(0, examined_max)
  const last = rest.at(-1)
  const end = rest.length === examined_max && last ? { place: last, matched: rest.length } : undefined
  const places = rest.slice(0, limit + 1)
  return { rows: places.slice(0, limit), next: findNextPage(places, { limit, offset: 0 }, end) }
}

const stored = fc.uniqueArray(
  fc.record({
    at: fc.integer({ min: 0, max: 5 }),
    id: fc.string({ minLength: 1, maxLength: 2 }),
    place: fc.constantFrom('used', 'archived', 'both'),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
)

test('pages of two databases are the pages of all rows, each row once', () => {
  fc.assert(
    fc.property(
      stored,
      fc.integer({ min: 1, max: 5 }),
      fc.nat(12),
      fc.integer({ min: 1, max: 9 }),
      (rows, limit, offset, examined_max) => {
        const databases = ['used', 'archived'].map((name) =>
          rows.filter(({ place }) => place === name || place === 'both').map(({ at, id }) => ({ at, id })),
        )
        const listed: string[] = []
        let next: Partial<NextPage> | null = { offset }
        while (next !== null) {
          const span: Span = { limit, offset: 0, ...next }
          const wide = { ...span, offset: 0, limit: span.offset + limit }
          const merged = mergePlaces(
            databases.map((database) => readPage(database, wide, examined_max)),
            span,
          )
          listed.push(...merged.places)
          next = merged.next
        }
        const all = rows.toSorted(newestFirst).map(({ id }) => id)
        expect(listed).toEqual(all.slice(offset))
      },
    ),
  )
})
