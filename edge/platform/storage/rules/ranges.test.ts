import { expect, test } from 'vitest'
import { placeRange, readRange } from './ranges.ts'

test.each([
  ['bytes=0-', { offset: 0, length: 10 }],
  ['bytes=0-0', { offset: 0, length: 1 }],
  ['bytes=4-7', { offset: 4, length: 4 }],
  ['bytes=4-700', { offset: 4, length: 6 }],
  ['bytes=-3', { offset: 7, length: 3 }],
  ['bytes=-300', { offset: 0, length: 10 }],
  ['bytes=10-', null],
  ['bytes=-0', null],
])('%s of ten bytes', (header, place) => {
  const wanted = readRange(header)
  expect(wanted).not.toBeNull()
  expect(wanted && placeRange(wanted, 10)).toEqual(place)
})

test.each([null, '', 'bytes=', 'bytes=-', 'bytes=abc', 'bytes=7-4', 'bytes=0-1,4-5', 'items=0-1'])(
  '%j asks for the whole file',
  (header) => {
    expect(readRange(header)).toBeNull()
  },
)
