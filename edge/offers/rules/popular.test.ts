import { expect, test } from 'vitest'
import { findPopular } from './popular.ts'

const ON_SALE = [{ id: 1 }, { id: 2 }, { id: 3 }]

test.each([
  ['nothing was sold', [], null],
  ['one was sold', [{ id: 2, orders: 1, last_at: 5 }], 2],
  [
    'one was sold most often',
    [
      { id: 1, orders: 3, last_at: 9 },
      { id: 2, orders: 4, last_at: 1 },
    ],
    2,
  ],
  [
    'two were sold as often: the one that was sold last',
    [
      { id: 1, orders: 3, last_at: 8 },
      { id: 2, orders: 3, last_at: 9 },
    ],
    2,
  ],
  [
    'the one that was sold most is retired',
    [
      { id: 9, orders: 30, last_at: 9 },
      { id: 3, orders: 1, last_at: 1 },
    ],
    3,
  ],
])('%s', (_what, sales, popular) => {
  expect(findPopular(sales, ON_SALE)).toBe(popular)
})
