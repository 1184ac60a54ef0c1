import { expect, test } from 'vitest'
import { inLanes } from './in-lanes.ts'

test('runs all items, at most as many at a time as there are lanes', async () => {
  let running = 0
  let most = 0
  const done: number[] = []
  await inLanes(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
    most = Math.max(most, ++running)
    await scheduler.wait(1)
    running -= 1
    done.push(item)
  })
  expect([most, done.toSorted()]).toEqual([3, [1, 2, 3, 4, 5, 6, 7]])
})

test('runs the other items when one fails, and then throws the first failure', async () => {
  const done: number[] = []
  const work = inLanes(2, [1, 2, 3, 4], async (item) => {
    if (item % 2 === 0) throw new Error(`item ${item}`)
    done.push(item)
  })
  await expect(work).rejects.toThrow('item 2')
  expect(done.toSorted()).toEqual([1, 3])
})

test('does nothing without items', async () => {
  await inLanes(4, [], () => Promise.reject(new Error('no item')))
})
