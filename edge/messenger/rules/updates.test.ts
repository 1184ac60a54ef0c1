import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../../shared/text/texts.ts'
import { type BotWord, wordFor } from './replies.ts'
import { readUpdate, readVideoNote } from './updates.ts'

const MEASURED = { width: 640, height: 640, duration_seconds: 60 }
const FILE = { content_type: 'video/mp4', size_bytes: 1000 }

describe('a round video', () => {
  test.each([
    [{}, {}, { diameter: 640, duration_seconds: 60 }],
    [{ duration_seconds: 0.2 }, {}, { diameter: 640, duration_seconds: 1 }],
    [{ duration_seconds: 60.04 }, {}, { diameter: 640, duration_seconds: 60 }],
    [{ width: 64, height: 64, duration_seconds: 12.5 }, {}, { diameter: 64, duration_seconds: 13 }],
    [{}, { size_bytes: 50_000_000 }, { diameter: 640, duration_seconds: 60 }],
  ])('%j in %j is sent as %j', (body, file, note) => {
    expect(readVideoNote({ ...MEASURED, ...body }, { ...FILE, ...file })).toEqual(note)
  })

  test.each([
    [{ width: 638 }, {}, 'wrong_size'],
    [{ width: 642, height: 642 }, {}, 'wrong_size'],
    [{ duration_seconds: 61 }, {}, 'too_long'],
    [{ duration_seconds: undefined }, {}, 'not_round'],
    [{ width: '640' }, {}, 'not_round'],
    [{}, { content_type: 'image/gif' }, 'not_round'],
    [{}, { size_bytes: 50_000_001 }, 'too_large'],
  ])('%j in %j is not sent', (body, file, reason) => {
    const found = readVideoNote({ ...MEASURED, ...body }, { ...FILE, ...file })
    expect(found).toEqual({ refused: { code: 'not_deliverable', facts: { reason } } })
  })
})

describe('an update', () => {
  const update = (text: unknown, who: object = { from: { language_code: 'uk' } }) => ({
    update_id: 5,
    message: { chat: { id: 9, type: 'private' }, ...who, text },
  })

  test.each([
    ['/start abc_DEF-1', 'abc_DEF-1'],
    ['/start@some_bot abc', 'abc'],
    ['/start   abc  ', 'abc'],
    ['/start', null],
    ['/start a b', null],
    ['/starts abc', null],
    ['start abc', null],
    [`/start ${'x'.repeat(65)}`, null],
    [undefined, null],
  ])('with the text %j opens the link %j', (text, start) => {
    expect(readUpdate(update(text))).toEqual({ update_id: 5, chat_id: 9, start, language: 'uk' })
  })

  test('without a language is read too', () => {
    expect(readUpdate(update('x', {}))).toMatchObject({ language: null })
    expect(readUpdate(update('x', { from: {} }))).toMatchObject({ language: null })
  })

  test('of any shape is parsed without throwing', () => {
    fc.assert(
      fc.property(fc.anything(), (sent) => {
        const found = readUpdate(sent)
        expect(found === null || Number.isSafeInteger(found.chat_id)).toBe(true)
      }),
    )
  })
})

test('every reply exists in every language and fits into a message', () => {
  const words: BotWord[] = ['help', 'unknown', 'used', 'sending', 'expired', 'gone', 'refused', 'failed']
  for (const locale of LOCALES) {
    const texts = words.map((word) => wordFor(word, locale))
    expect(new Set(texts).size).toBe(words.length)
    for (const text of texts) expect(text.length).toBeLessThan(4096)
  }
})
