import { describe, expect, test } from 'vitest'
import { splitEmoji } from '../text/characters.ts'
import { escapeAss } from './ass.ts'
import { emojiSpace, hideSpaces, keepPlain, listSpaces, revealSpaces } from './emoji-spaces.ts'
import { widthOf, wrapText } from './text.ts'

const HEAD = ['Style: a,Noto Sans,20,&H00FFFFFF,&H48000000']
const scriptOf = (...texts: string[]) => ({
  head: HEAD,
  events: texts.map((text, at) => ({ start: at, end: at + 1.5, style: 'a', text: escapeAss(text, 20) })),
})

describe('splitting text at colored emoji', () => {
  test.each([
    ['plain 5 # text', ['plain 5 # text']],
    ['a👨‍👩‍👧‍👦b', ['a', '👨‍👩‍👧‍👦', 'b']],
    ['🇺🇦🇫🇷', ['🇺🇦', '🇫🇷']],
    ['5️⃣ 👍🏽', ['5️⃣', ' ', '👍🏽']],
    ['', []],
  ])('%j becomes %j', (text, parts) => {
    expect(splitEmoji(text).filter((part) => part !== '')).toEqual(parts)
  })
})

test('a joined emoji is as wide as a single one, and is not broken', () => {
  expect(widthOf('👨‍👩‍👧‍👦')).toBe(widthOf('😀'))
  expect(wrapText('👨‍👩‍👧‍👦🇺🇦', 1.5, true)).toEqual(['👨‍👩‍👧‍👦', '🇺🇦'])
})

test('lists the emoji of a script in order', () => {
  expect(listSpaces(scriptOf('a😀b🇺🇦', 'none', '5️⃣'))).toEqual([
    { emoji: '😀', event: 0 },
    { emoji: '🇺🇦', event: 0 },
    { emoji: '5️⃣', event: 2 },
  ])
})

test('text that looks like a space is not one', () => {
  expect(listSpaces(scriptOf(emojiSpace('x', 20), '{\\emoji y}{\\end}'))).toEqual([])
})

test.each([
  ['{', '\\{'],
  ['}', '\\}'],
  ['\\', '\\\u2060'],
  ['&', '&'],
  ['<', '<'],
])('escapes %s if a keycap or a skin tone joins it', (character, escaped) => {
  for (const joined of ['\u20e3', '\u{1f3fd}'])
    expect(escapeAss(`${character}${joined}😀`, 20)).toBe(escaped + joined + emojiSpace('😀', 20))
})

test('hides the spaces, and keeps the other text', () => {
  const [event] = hideSpaces(scriptOf('a😀b'), true).events
  expect(event?.text).toMatch(/^a\{\\1a&HFF&.*\\4a&HFF&\}\{\\p1.*\{\\p0.*\\4a\}b$/)
  expect(hideSpaces(scriptOf('a😀b'), false).events[0]?.text).not.toContain('\\4a')
})

test('reveals one space a second, among the texts that are already shown', () => {
  const { head = [], events = [] } = revealSpaces(scriptOf('one', '😀 and 🎉', 'late'), 10_000) ?? {}
  expect(head[0]).toBe('Style: a,Noto Sans,20,&HFFFFFFFF,&HFF000000')
  expect(events.map(({ start, end, text }) => [start, end, text.split('\\1c&HFFFFFF').length - 1])).toEqual([
    [0, 1, 0],
    [0, 1, 1],
    [1, 2, 0],
    [1, 2, 1],
  ])
})

test('can draw the emoji as text', () => {
  expect(keepPlain(scriptOf('a😀b')).events[0]?.text).toBe('a😀b')
})
