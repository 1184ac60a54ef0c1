import { describe, expect, test } from 'vitest'
import { encodeKey, isObjectKey, keyInBucket, readAddress, trimPrefix } from './object-keys.ts'

describe('a storage address', () => {
  test.each([
    ['storage://archive/a.mp4', { name: 'archive', key: 'a.mp4' }],
    ['storage://archive/2026/my film #1?.mp4', { name: 'archive', key: '2026/my film #1?.mp4' }],
    ['storage://a-b_c/100%25/кіно.mp4', { name: 'a-b_c', key: '100%25/кіно.mp4' }],
  ])('%s is read literally', (address, parts) => {
    expect(readAddress(address)).toEqual(parts)
  })

  test.each([
    'storage://archive',
    'storage://archive/',
    'storage:///a.mp4',
    'storage://archive//a.mp4',
    'storage://archive/a/../b.mp4',
    'storage://archive/..',
    'storage://archive/./a',
    'storage://archive/a\u0000.mp4',
    'storage://archive/a\nb',
    'storage://archive/\ud800',
    'storage://archive/folder/',
    `storage://archive/${'я'.repeat(513)}`,
    's3://archive/a.mp4',
  ])('%j is refused', (address) => {
    expect(readAddress(address)).toBeNull()
  })
})

test('a key may contain dots that are no path', () => {
  expect(isObjectKey('a..b/...c/.d')).toBe(true)
})

test('a key is in the folder of the connection', () => {
  expect(keyInBucket(trimPrefix('/videos/2026/'), 'a.mp4')).toBe('videos/2026/a.mp4')
  expect(keyInBucket(trimPrefix('/'), 'a.mp4')).toBe('a.mp4')
})

test('a key is encoded so that no character ends the path or changes its signature', () => {
  expect(encodeKey("a b/c+d?e#f%g!'()*")).toBe('a%20b/c%2Bd%3Fe%23f%25g%21%27%28%29%2A')
})
