import { expect, test } from 'vitest'
import { LOCALES } from '../text/texts.ts'
import { FAILURES, type FailureName, failureText } from './failures.ts'
import { LINK_FAULTS } from './links.ts'
import { TRANSFER_FAULTS } from './transfers.ts'

/** Facts for every sentence: each ignores those of the others. */
const FACTS = {
  ...{ seconds: 2700, limit_seconds: 1800, tier: 'free', what: 'audio', title: 'AC-4', megapixels: 100 },
  ...{
    limit: 256,
    width: 9000,
    height: 5000,
    rate: 5000,
    format: 'SVG',
    compression: 'LZMA',
    coding: 'H.264',
    bits: 24,
    part: 'scripts',
  },
  ...{
    megabytes: 10,
    chunks: 1000,
    storage: 'archive',
    address: 'storage://archive/x.mp4',
    fault: 'not_public',
  },
  ...{ limited_by: 'processing', operation_key: 'download_video' },
  ...{ limit_kb: 20, bytes_max: 5 * 1024 ** 3, field: 'crf' },
  message: {
    en: 'must be at most 51',
    uk: 'значення має бути не більше 51',
    ru: 'значение должно быть не больше 51',
  },
}

test.each(Object.keys(FAILURES))('%s has a sentence of its own in every language', (name) => {
  const sentences = LOCALES.map((locale) => failureText({ name, facts: FACTS }, locale) ?? '')
  expect(new Set(sentences).size).toBe(LOCALES.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^[^\s].*[^.]\.$/s)
  expect(sentences.join(' ')).not.toMatch(/undefined|NaN|\[object/)
})

test.each(Object.entries({ ...TRANSFER_FAULTS, ...LINK_FAULTS }))(
  'the fault %s has a clause of its own in every language',
  (_name, texts) => {
    expect(new Set(Object.values(texts)).size).toBe(LOCALES.length)
  },
)

test('the sentence about an export names the address, the status and the code', () => {
  const facts = { fault: 'status', status: 403, code: 'AccessDenied', address: 'storage://archive/x.mp4' }
  expect(failureText({ name: 'export_failed', facts }, 'uk')).toBe(
    'Не вдалося записати результат у storage://archive/x.mp4: сервер відповів статусом 403 (AccessDenied). Перевірте підключення сховища і запустіть завдання знову.',
  )
})

test('the sentence about the length names the length, the limit and the tier', () => {
  const name: FailureName = 'input_too_long'
  expect(failureText({ name, facts: FACTS }, 'en')).toBe(
    'The video is 45 min long; the free tier allows up to 30 min. Use a shorter video.',
  )
  expect(failureText({ name, facts: FACTS }, 'uk')).toBe(
    'Тривалість відео — 45 хв; рівень «безкоштовний» дозволяє до 30 хв. Використайте коротше відео.',
  )
})

test('the sentence about a parameter begins with its name, once', () => {
  expect(failureText({ name: 'parameter', facts: FACTS }, 'en')).toBe('crf: must be at most 51.')
  const message = { en: 'crf is odd.', uk: 'crf непарний', ru: 'crf нечетный' }
  expect(failureText({ name: 'parameter', facts: { field: 'crf', message } }, 'en')).toBe('crf is odd.')
})

test('a name or facts of another version have no sentence', () => {
  expect(failureText({ name: 'nothing', facts: {} }, 'uk')).toBeNull()
  expect(failureText({ name: 'toString', facts: {} }, 'uk')).toBeNull()
  expect(failureText({ name: 'parameter', facts: {} }, 'uk')).toBeNull()
})
