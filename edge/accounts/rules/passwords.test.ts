import { expect, test } from 'vitest'
import { isWeakPassword } from './passwords.ts'

test.each([
  ['password', true],
  ['PassWord1', true],
  ['12345678', true],
  ['Someone@Example.com', true],
  ['correct horse battery', false],
  ['someone@example.co', false],
  ['', true],
  ['ｐａｓｓｗｏｒｄ', true],
  ['Ｐassword１', true],
  ['Ｓomeone＠example.com', true],
  ['        ', true],
  [' password', true],
  ['\u200bpass\u00adword\u200b', true],
  ['\u200b'.repeat(8), true],
  ['pass\u034fword', true],
  ['password\u3164', true],
  ['\u2800'.repeat(8), true],
  ['pass\u0007word', true],
  [' someone@example.com ', true],
  ['коректний кінь', false],
])('%j is too common: %s', (password, weak) => {
  expect(isWeakPassword(password, 'someone@example.com')).toBe(weak)
})
