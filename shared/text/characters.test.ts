import { expect, test } from 'vitest'
import { cleanText, hasColoredEmoji, hasUnspaced, hasVisibleCharacters, splitEmoji } from './characters.ts'

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
  ['5\u20e3', true],
  ['☝🏽', true],
  ['❤\u200d🔥', true],
  ['🕵\u200d♀️', true],
  ['5 © ™ ★ ♫ ☎ → 水 ❤', false],
])('%j has color emoji: %s', (text, has_emoji) => {
  expect(hasColoredEmoji(text)).toBe(has_emoji)
})

test.each(['{', '}', '\\', '&', '<', '\u2039', 'a'])('%j is no emoji, whatever joins it', (character) => {
  for (const joined of ['\u20e3', '\ufe0f\u20e3', '\u{1f3fd}']) {
    expect(hasColoredEmoji(character + joined)).toBe(false)
    expect(splitEmoji(`5️⃣${character}${joined}`)).toEqual(['5️⃣', character + joined])
  }
})

test('removes invisible characters and keeps lines', () => {
  expect(cleanText(' a\r\nb\u2028c\td\u0000\u0007\ud800 ')).toBe('a\nb\nc d\ufffd')
})

test('detects scripts without spaces', () => {
  expect(['\u6c34', '\u3042', '\u0e01', '\u1000'].map(hasUnspaced)).toEqual([true, true, true, true])
  expect(['water', '\ubb3c', '\u0432'].map(hasUnspaced)).toEqual([false, false, false])
})
