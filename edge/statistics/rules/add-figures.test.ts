import { expect, test } from 'vitest'
import { addFigures, addRows } from './add-figures.ts'

test('figures of several databases are added by name', () => {
  const one = { accounts: 2, orders: { paid: 1, waiting: 0 } }
  const other = { accounts: 3, orders: { paid: 4, waiting: 5 } }
  expect(addFigures([one, other])).toEqual({ accounts: 5, orders: { paid: 5, waiting: 5 } })
  expect(addFigures([one])).toEqual(one)
})

test('rows with the same key become one', () => {
  const rows = [
    { operation: 'trim', day: 7, done: 1 },
    { operation: 'trim', day: 8, done: 10 },
    { operation: 'trim', day: 7, done: 2 },
  ]
  expect(addRows(rows, ['operation', 'day'])).toEqual([
    { operation: 'trim', day: 7, done: 3 },
    { operation: 'trim', day: 8, done: 10 },
  ])
})
