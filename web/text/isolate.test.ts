import { expect, test } from 'vitest'
import { isolate } from './isolate.ts'

test.each([
  ['photo.jpg', '\u2068photo.jpg\u2069'],
  ['photo\u202Egpj.exe', '\u2068photo\u202Egpj.exe\u2069'],
  ['a\u2069b\u2067c', '\u2068abc\u2069'],
])('the direction of %j stays inside it', (name, isolated) => {
  expect(isolate(name)).toBe(isolated)
})
