import { expect, test } from 'vitest'
import { rotateKeys } from './rotate-keys.ts'

test('the new key signs, and the two keys before it still verify', () => {
  expect(rotateKeys('FLEET_KEYS', 'b,a', 'c')).toBe('c,b,a')
  expect(rotateKeys('FLEET_KEYS', 'c,b,a', 'd')).toBe('d,c,b')
  expect(rotateKeys('STORAGE_KEYS', '', 'a')).toBe('a')
})

test('a session key gets an id of its own', () => {
  expect(rotateKeys('SESSION_KEYS', 'local1:a', 'b')).toBe('k2:b,local1:a')
  expect(rotateKeys('SESSION_KEYS', 'main:a', 'b')).toBe('k1:b,main:a')
  expect(rotateKeys('SESSION_KEYS', 'k9:b,k1:a', 'c')).toBe('k10:c,k9:b,k1:a')
})
