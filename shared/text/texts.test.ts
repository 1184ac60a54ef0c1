import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillTexts, fromFacts, keepEnglish, packTexts, unpackTexts } from './texts.ts'

test('a packed text is unpacked unchanged', () => {
  const text = fc.string().map((value) => value.replaceAll('\u001e', ''))
  fc.assert(
    fc.property(fc.record({ en: text, uk: text, ru: text }), (texts) => {
      expect(unpackTexts(packTexts(texts))).toEqual(texts)
    }),
    { seed: 1 },
  )
})

test('a message that is not packed is the same in every language', () => {
  expect(unpackTexts('Invalid')).toEqual({ en: 'Invalid', uk: 'Invalid', ru: 'Invalid' })
})

test('facts are filled into every language', () => {
  const texts = fromFacts({
    en: (n: number) => `${n} left`,
    uk: (n) => `лишилося ${n}`,
    ru: (n) => `осталось ${n}`,
  })
  expect(fillTexts(texts, 3)).toEqual({ en: '3 left', uk: 'лишилося 3', ru: 'осталось 3' })
  expect(fillTexts({ en: 'Done', uk: 'Готово', ru: 'Готово' }, undefined)).toMatchObject({ en: 'Done' })
})

test('only English is logged of an invalid value', () => {
  const message = packTexts({ en: 'Not "x".', uk: 'Отримано "x".', ru: 'Получено "x".' })
  expect(keepEnglish(JSON.stringify([{ message, path: ['a'] }]))).toBe(
    '[{"message":"Not \\"x\\".","path":["a"]}]',
  )
})
