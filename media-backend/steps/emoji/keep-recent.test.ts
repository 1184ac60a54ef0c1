import { expect, test } from 'vitest'
import { keepRecent } from './keep-recent.ts'

test('makes a value again if it is not among the ones that were used last', async () => {
  const made: string[] = []
  const find = keepRecent<string>(2)
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b'])
    await find(name, async () => {
      made.push(name)
      return name
    })
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})
