import { expect, test } from 'vitest'
import { CollectorHeaders } from './collector-headers.ts'

test.each([
  ['a=b', { a: 'b' }],
  ['Authorization=Bearer%20token, x-team = 5', { Authorization: 'Bearer token', 'x-team': '5' }],
  ['Authorization=Basic YWJj==', { Authorization: 'Basic YWJj==' }],
  ['a=', { a: '' }],
])('reads the headers %s', (text, headers) => {
  expect(CollectorHeaders.parse(text)).toEqual(headers)
})

test.each([
  ...['', 'a', '=b', 'a=b,', ',a=b'],
  ...['a=%', 'a=%zz', 'a=%FF', 'a=%0A', 'a=b%00', 'a=%C3%A4'],
  ...['a b=c', 'ä=b', 'a:b=c'],
])('refuses the headers "%s", which would fail every export', (text) => {
  expect(CollectorHeaders.safeParse(text).error?.issues).toMatchObject([
    { message: 'must be name=value pairs, separated by commas' },
  ])
})
