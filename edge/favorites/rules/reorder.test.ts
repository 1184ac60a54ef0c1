import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reorder } from './reorder.ts'

test.each([
  [
    [1, 2, 3],
    [3, 1, 2],
    [3, 1, 2],
  ],
  [[1, 2, 3], [3], [3, 1, 2]],
  [[1, 2, 3], [], [1, 2, 3]],
  [
    [1, 2, 3],
    [9, 3, 9, 3],
    [3, 1, 2],
  ],
  [[], [1], []],
])('%j reordered by %j becomes %j', (pinned, named, order) => {
  expect(reorder(pinned, named)).toEqual(order)
})

test('reordering neither loses nor adds an element', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 30 }))
  fc.assert(
    fc.property(ids, fc.array(fc.integer({ min: 1, max: 30 })), (pinned, named) => {
      expect(reorder(pinned, named).toSorted()).toEqual(pinned.toSorted())
    }),
  )
})
