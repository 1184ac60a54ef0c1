import { describe, expect, test } from 'vitest'
import { findFault, isAllowed, typeOf } from './file-types.ts'

describe('the type of a file', () => {
  test.each([
    ['a.mp4', 'video/mp4', 'video/mp4'],
    ['A.MKV', '', 'video/x-matroska'],
    ['a.heic', '', 'image/heic'],
    ['a', '', 'application/octet-stream'],
    ['mkv', '', 'video/x-matroska'],
  ])('%s with the type "%s" is %s', (name, type, expected) => {
    expect(typeOf({ name, type })).toBe(expected)
  })
})

test.each([
  [['video/*'], 'video/mp4', true],
  [['video/*'], 'image/png', false],
  [['video/*'], 'videos/mp4', false],
  [['video/mp4', 'image/png'], 'image/png', true],
  [['video/mp4'], 'video/webm', false],
  [['*/*'], 'text/plain', true],
])('%j allows %s: %s', (allowed, type, expected) => {
  expect(isAllowed(allowed, type)).toBe(expected)
})

test.each([
  [{ name: 'a.mp4', type: 'video/mp4', size: 10 }, null],
  [{ name: 'a.mp4', type: 'video/mp4', size: 0 }, 'empty'],
  [{ name: 'a.mp4', type: 'video/mp4', size: 11 }, 'large'],
  [{ name: 'a.png', type: 'image/png', size: 5 }, 'type'],
])('the fault of %j is %s', (file, expected) => {
  expect(findFault({ allowed_mime_types: ['video/*'], max_size_bytes: 10 }, file)).toBe(expected)
})
