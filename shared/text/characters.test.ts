import { expect, test } from 'vitest'
import { cleanText, hasColoredEmoji, hasUnspaced, hasVisibleCharacters } from './characters.ts'

test.each(['a', '\u00a9 2026', '\u6c34', '\u2801', '\u2764\ufe0f', 'a\u3164'])('%j is visible', (text) => {
  expect(hasVisibleCharacters(text)).toBe(true)
})

test.each(['', ' \n', '\u200b', '\u3164', '\u2800', '\u115f\u1160', '\uffa0', '\ufe0f', '\u034f'])(
  '%j is invisible',
  (text) => {
    expect(hasVisibleCharacters(text)).toBe(false)
  },
)

test.each([
  ['😀', true],
  ['a 👍🏽 b', true],
  ['🇺🇦', true],
  ['👨‍👩‍👧‍👦', true],
  ['❤️', true],
  ['5️⃣', true],
  ['5 © ™ ★ ♫ ☎ → 水 ❤', false],
])('%j has color emoji: %s', (text, has_emoji) => {
  expect(hasColoredEmoji(text)).toBe(has_emoji)
})

test('removes invisible characters and keeps lines', () => {
  expect(cleanText(' a\r\nb\u2028c\td\u0000\u0007\ud800 ')).toBe('a\nb\nc d\ufffd')
})

test('detects scripts without spaces', () => {
  expect(['\u6c34', '\u3042', '\u0e01', '\u1000'].map(hasUnspaced)).toEqual([true, true, true, true])
  expect(['water', '\ubb3c', '\u0432'].map(hasUnspaced)).toEqual([false, false, false])
})
