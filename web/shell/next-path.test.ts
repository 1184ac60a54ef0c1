import { expect, test } from 'vitest'
import { readNext, withNext } from './next-path.ts'

test.each([
  ['/jobs/1?a=b', '/jobs/1?a=b'],
  [undefined, '/studio'],
  ['//evil.example', '/studio'],
  ['https://evil.example', '/studio'],
  ['/\\evil.example', '/studio'],
  ['/sign-in?next=/sign-in', '/studio'],
  ['/auth/callback', '/studio'],
])('a sign-in with next=%s continues at %s', (next, expected) => {
  expect(readNext(next)).toBe(expected)
})

test.each([
  ['/jobs?status=done', '/sign-in?next=%2Fjobs%3Fstatus%3Ddone'],
  ['/', '/sign-in'],
  ['/sign-up?next=%2Fjobs', '/sign-in'],
])('the sign-in from %s is at %s', (path, expected) => {
  expect(withNext('/sign-in', path)).toBe(expected)
})
