import { expect, test } from 'vitest'
import { findPopular } from './popular.ts'

const ON_SALE = [{ id: 1 }, { id: 2 }, { id: 3 }]

test.each([
  ['nothing was sold', [], null],
  ['one item was sold', [{ id: 2, orders: 1, last_at: 5 }], 2],
  [
    'one item was sold most often',
    [
      { id: 1, orders: 3, last_at: 9 },
      { id: 2, orders: 4, last_at: 1 },
    ],
    2,
  ],
  [
    'two items tie: the last sold one is popular',
    [
      { id: 1, orders: 3, last_at: 8 },
      { id: 2, orders: 3, last_at: 9 },
    ],
    2,
  ],
  [
    'the best-selling item is retired',
    [
      { id: 9, orders: 30, last_at: 9 },
      { id: 3, orders: 1, last_at: 1 },
    ],
    3,
  ],
])('the popular item: %s', (_what, sales, popular) => {
  expect(findPopular(sales, ON_SALE)).toBe(popular)
})
