import { expect, test } from 'vitest'
import { pickLocale } from './locale.ts'

test.each([
  ['uk-UA,uk;q=0.9,en;q=0.5', 'uk'],
  ['de-DE,de;q=0.9,ru;q=0.4,en;q=0.3', 'ru'],
  ['en;q=0.2, RU;q=0.8', 'ru'],
  ['ru;q=0, en', 'en'],
  ['uk', 'uk'],
  ['fr', 'en'],
  ['*', 'en'],
  [';;;,,q=', 'en'],
  ['', 'en'],
  [null, 'en'],
  [undefined, 'en'],
])('%j gets responses in %s', (preference, locale) => {
  expect(pickLocale(preference)).toBe(locale)
})
