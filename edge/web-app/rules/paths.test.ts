import { expect, test } from 'vitest'
import { isPagePath } from './paths.ts'

test.each([
  ['/', true],
  ['/studio', true],
  ['/studio/', true],
  ['/studio/anything', false],
  ['/studios', false],
])('%s is a page: %s', (path, expected) => {
  expect(isPagePath(path)).toBe(expected)
})
