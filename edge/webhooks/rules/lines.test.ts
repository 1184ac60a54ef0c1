import { expect, test } from 'vitest'
import { lineAfter } from './lines.ts'

const line = ['a1', 'b1', 'a2', 'b2'].map((id) => ({ id, receiver: id.slice(0, 1) }))
const ids = (receiver: string | null, duration_ms: number) =>
  lineAfter(line, { receiver, duration_ms }).map(({ id }) => id)

test('a slow receiver goes to the end of the line, in order', () => {
  expect(ids('a', 3000)).toEqual(['b1', 'b2', 'a1', 'a2'])
  expect(ids('b', 15_000)).toEqual(['a1', 'a2', 'b1', 'b2'])
})

test('a quick receiver keeps its place', () => {
  expect(ids('a', 2999)).toEqual(['a1', 'b1', 'a2', 'b2'])
})
