import { expect, test } from 'vitest'
import { shareCores } from './share-cores.ts'

test.each([
  ['one/0-1', 'one/0-1', true],
  ['one/0-1', 'one/1-3', true],
  ['one/0-7', 'one/2,9', true],
  ['one/0,4-5', 'one/1-3,5', true],
  ['one/', 'one/3', true],
  ['one/0-1', 'one/2-3', false],
  ['one/0,2', 'one/1,3', false],
  ['one/0-1', 'two/0-1', false],
  ['one/', 'two/', false],
])('%s and %s share cores: %s', (one, other, is_shared) => {
  expect(shareCores(one, other)).toBe(is_shared)
  expect(shareCores(other, one)).toBe(is_shared)
})
