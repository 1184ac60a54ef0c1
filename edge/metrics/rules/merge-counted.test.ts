import { expect, test } from 'vitest'
import { mergeCounted } from './merge-counted.ts'

test('counts of several databases are added, and the oldest row decides the age', () => {
  const home = [
    { kind: 'mail', count: 2, created_at: 10, due_at: 50 },
    { kind: 'webhook', count: 1, created_at: 5, due_at: 6 },
  ]
  const other = [{ kind: 'mail', count: 3, created_at: 20, due_at: 40 }]
  expect(mergeCounted([home, other])).toEqual([
    { kind: 'mail', count: 5, created_at: 10, due_at: 40 },
    { kind: 'webhook', count: 1, created_at: 5, due_at: 6 },
  ])
  expect(mergeCounted([[{ count: 1 }], [{ count: 2 }]])).toEqual([{ count: 3 }])
})
