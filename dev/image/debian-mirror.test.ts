import { expect, test } from 'vitest'
import { parseDebianMirror } from './debian-mirror.ts'

test('finds the mirror of Debian and of its security updates', () => {
  const targets = 'Debian-Security http://mirror.example/security/\nDebian http://mirror.example/debian/\n'
  expect(parseDebianMirror(targets)).toEqual({
    debian: 'http://mirror.example/debian/',
    security: 'http://mirror.example/security/',
  })
})

test.each(['', 'Ubuntu http://mirror.example/ubuntu/\n'])('refuses %j', (targets) => {
  expect(() => parseDebianMirror(targets)).toThrow('apt knows none')
})
