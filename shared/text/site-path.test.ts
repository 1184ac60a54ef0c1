import { expect, test } from 'vitest'
import { isSitePath } from './site-path.ts'

test.each(['/', '/studio', '/a/b?c=d&e=%2F#f', '/jobs//x'])('%j is a path on this site', (path) => {
  expect(isSitePath(path)).toBe(true)
})

test.each([
  '',
  'studio',
  '//evil.example',
  '/\\evil.example',
  '/a\\b',
  'https://evil.example/',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/a\nb',
  ' /a',
  `/${'a'.repeat(2048)}`,
])('%j is not a path on this site', (path) => {
  expect(isSitePath(path)).toBe(false)
})
