import { expect, test } from 'vitest'
import { groupBySize } from './group-by-size.ts'

test('each group fits in a request, and a larger row is a group of its own', () => {
  const rows = [1000, 1000, 50_000, 1000, 3000].map((bytes, index) => ({ id: String(index), bytes }))
  expect(groupBySize(rows, 6000)).toEqual([['0', '1'], ['2'], ['3'], ['4']])
  expect(groupBySize(rows, 1_000_000)).toEqual([['0', '1', '2', '3', '4']])
  expect(groupBySize([])).toEqual([])
})
