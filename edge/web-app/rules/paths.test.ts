import { expect, test } from 'vitest'
import { isIndexed, isPagePath } from './paths.ts'

test.each([
  ['/', true],
  ['/studio', true],
  ['/studio/', true],
  ['/studio/anything', false],
  ['/studios', false],
  ['/studio//', false],
  ['//studio', false],
  ['/unsubscribe/token/news', true],
  ['/unsubscribe//token/news', false],
  ['/unsubscribe//news', false],
])('%s is a page: %s', (path, expected) => {
  expect(isPagePath(path)).toBe(expected)
})

test.each([
  ['/', true],
  ['/send', false],
  ['/send/', false],
  ['/account/keys', false],
  ['/auth/callback', false],
])('search engines may list %s: %s', (path, expected) => {
  expect(isIndexed(path)).toBe(expected)
})
