import { expect, test } from 'vitest'
import { batchesOf } from './pages.ts'

async function* count(to: number) {
  for (let number = 1; number <= to; number++) yield number
}

test('batches say whether more items follow', async () => {
  const batches = batchesOf(count(5), 2)
  expect(await batches.next()).toEqual({ values: [1, 2], hasMore: true })
  expect(await batches.next()).toEqual({ values: [3, 4], hasMore: true })
  expect(await batches.next()).toEqual({ values: [5], hasMore: false })
})

test('a list that ends with a batch has no more', async () => {
  expect(await batchesOf(count(2), 2).next()).toEqual({ values: [1, 2], hasMore: false })
  expect(await batchesOf(count(0), 2).next()).toEqual({ values: [], hasMore: false })
})
