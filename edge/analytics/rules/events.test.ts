import { expect, test } from 'vitest'
import { keepPath, keepReferrer, keepTime } from './events.ts'

test.each([
  ['/a/b?c=d#e', '/a/b'],
  ['/a#b?c', '/a'],
  ['?c', ''],
  [`/${'x'.repeat(300)}`, `/${'x'.repeat(199)}`],
  [undefined, null],
  [null, null],
])('the path %j is stored as %j', (path, kept) => {
  expect(keepPath(path)).toBe(kept)
})

test.each([
  ['https://Example.com:8080/path?q=1', 'example.com'],
  ['http://user:secret@example.com/', 'example.com'],
  ['https://example.com', 'example.com'],
  ['android-app://com.example', null],
  ['example.com/path', null],
  ['javascript:alert(1)', null],
  ['', null],
  [undefined, null],
])('the referrer %j is stored as %j', (referrer, kept) => {
  expect(keepReferrer(referrer)).toBe(kept)
})

test.each([
  [undefined, 1_000_000_000_000],
  ['2001-09-08T23:46:40Z', 999_992_800_000],
  [999_999_999_999.4, 999_999_999_999],
  [1_000_000_000_000 + 86_400_001, 1_000_000_000_000],
  ['1970-01-01T00:00:00Z', 1_000_000_000_000],
])('the time %j is stored as %d', (ts, kept) => {
  expect(keepTime(ts, 1_000_000_000_000)).toBe(kept)
})
