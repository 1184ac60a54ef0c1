import { expect, test } from 'vitest'
import { asciiEmail } from './ascii-address.ts'

test.each([
  ['a@пошта.укр', 'a@xn--80a1acn3a.xn--j1amh'],
  ['A@ПОШТА.УКР', 'A@xn--80a1acn3a.xn--j1amh'],
  ['a@пошта。укр', 'a@xn--80a1acn3a.xn--j1amh'],
  ['a@bücher.example', 'a@xn--bcher-kva.example'],
  // The same character, written as one code point and as two.
  ['a@bu\u0308cher.example', 'a@xn--bcher-kva.example'],
  ['Ada@Example.com', 'Ada@Example.com'],
  ['пошта.укр', 'пошта.укр'],
  ['a@пошта.укр:25', 'a@пошта.укр:25'],
  ['a@пошта.укр/x', 'a@пошта.укр/x'],
  ['a@пошта%2eукр', 'a@пошта%2eукр'],
  ['a@ｅxample．com', 'a@ｅxample．com'],
  ['a@xn--zzzzzz\u00fc.example', 'a@xn--zzzzzz\u00fc.example'],
  ['', ''],
])('%j becomes %j', (text, ascii) => {
  expect(asciiEmail(text)).toBe(ascii)
})
