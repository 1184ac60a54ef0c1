import { expect, test } from 'vitest'
import { findInexactInteger } from './inexact-integers.ts'

test.each([
  ['{"metadata":{"order":9007199254740993}}', ['metadata', 'order']],
  ['{"list":[1,-9007199254740993]}', ['list', 1]],
  ['{"order":1152921504606846976}', ['order']],
  ['{"order":1000000000000000000000001}', ['order']],
  ['9007199254740993', []],
  ['{"order":9007199254740991}', null],
  ['{"order":1000000000000000}', null],
  ['{"order":"9007199254740993"}', null],
  ['{"share":0.10000000000000000555}', null],
  ['{"zero":-0,"text":"0000000000000000"}', null],
  ['{}', null],
])('%s: %j', (text, path) => {
  expect(findInexactInteger(text)).toEqual(path)
})
