import { expect, test } from 'vitest'
import { findNextPage, formatCursor, parseCursor } from './paging.ts'

const places = [3, 2, 1].map((at) => ({ at, id: `job-${at}` }))

test('the next page begins after the last row shown, if there are more', () => {
  expect(findNextPage(places, { limit: 2, offset: 0 })).toEqual({ cursor: places[1], offset: 0 })
  expect(findNextPage(places, { limit: 3, offset: 0 })).toBeNull()
  expect(findNextPage([], { limit: 3, offset: 10 })).toBeNull()
})

test('after an incomplete scan the next page continues it, with the offset that is left', () => {
  const end = { place: { at: 1, id: 'scanned' }, matched: 5 }
  expect(findNextPage([], { limit: 2, offset: 7 }, end)).toEqual({ cursor: end.place, offset: 2 })
  expect(findNextPage(places, { limit: 3, offset: 2 }, end)).toEqual({ cursor: end.place, offset: 0 })
  expect(findNextPage(places, { limit: 2, offset: 2 }, end)).toEqual({ cursor: places[1], offset: 0 })
})

test.each([
  { at: 1_764_000_000_000, id: crypto.randomUUID() },
  { at: 0, id: '17' },
  { at: 5, id: 'msg_a:b' },
])('the cursor of %j is read as the same place', (place) => {
  expect(parseCursor(formatCursor(place))).toEqual(place)
  expect(encodeURIComponent(formatCursor({ ...place, id: 'a' }))).toBe(`${place.at}.a`)
})

test.each(['', '.', '1.', '.a', '-1.a', '1e3.a', '1.a b', `1.${'x'.repeat(101)}`, '1.a\n'])(
  '%j is not a cursor',
  (text) => {
    expect(parseCursor(text)).toBeNull()
  },
)
