import { expect, test, vi } from 'vitest'
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

test.each([
  ['{"order":9007199254740993.0}', ['order']],
  ['{"order":900719925474099.3e1}', ['order']],
  ['{"order":9007199254740993e1}', ['order']],
  ['{"order":-9007199254740993e0}', ['order']],
  ['{"orders":[[{"id":12345678901234567890}]]}', ['orders', 0, 0, 'id']],
  ['{"large":1e300,"pad":"0000000000000000"}', null],
  ['{"large":1000000000000000000000000}', null],
  ['{"large":-12.50000000000000000E+30}', null],
  ['{"large":1e400}', ['large']],
  ['{"small":1e-400,"text":"1e400"}', null],
  ['{"share":4503599627370496.3}', null],
])('%s, in other notations: %j', (text, path) => {
  expect(findInexactInteger(text)).toEqual(path)
})

test('builds no integer from a million digits', () => {
  const build = vi.spyOn(globalThis, 'BigInt')
  const digits = '7'.repeat(1_000_000)
  expect(findInexactInteger(`{"order":${digits.slice(0, 300)},"other":1}`)).toEqual(['order'])
  expect(findInexactInteger(`{"order":${digits}e-999900}`)).toEqual(['order'])
  expect(findInexactInteger(`{"order":${digits}}`)).toEqual(['order'])
  expect(findInexactInteger(`{"order":1${'0'.repeat(300)}}`)).toBeNull()
  expect(build).not.toHaveBeenCalled()
})
