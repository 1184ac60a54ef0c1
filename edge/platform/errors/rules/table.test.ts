import { expect, test } from 'vitest'
import { LOCALES, type Texts, unpackTexts } from '../../../../shared/text/texts.ts'
import type { ErrorEntry } from './entry.ts'
import { FIELD_FAULTS, faultAt, schemaFault } from './field-faults.ts'
import { ERROR_CODES, ERRORS, type ErrorCode, exampleOf, sentenceOf } from './table.ts'

const entries = ERROR_CODES.map((code): [ErrorCode, ErrorEntry] => [code, ERRORS[code]])

/** Sentences start with a capital letter, a number, or a name from the input: a field, a service or an operation. */
const SENTENCES = {
  en: /^(?:[A-Z0-9]|\S+[_./:]\S*|(?:params|metadata|credits|months|provider|note|grant|audio) )[^\n]*\.$/,
  uk: /^(?:[А-ЯІЇЄҐ0-9]|\S+[_./:]\S*|URL )[^\n]*[.]$/,
  ru: /^(?:[А-Я0-9]|\S+[_./:]\S*|URL )[^\n]*[.]$/,
}

test('the contract fixes some sentences', () => {
  const literal = entries.filter(([, { literal }]) => literal).map(([code]) => exampleOf(code).detail)
  expect(literal).toEqual([
    'missing API key',
    'invalid API key',
    'missing bearer token',
    'invalid bearer token',
    'params must be a JSON object',
    'not enough credits',
    'not enough credits',
    'payments are not enabled for this account yet',
  ])
})

test.each(entries)(
  '%s has one or two sentences in every language that end with a period',
  (code, { literal }) => {
    for (const locale of LOCALES) {
      const { detail, help } = exampleOf(code, locale)
      if (literal && locale === 'en') continue
      expect(detail).toMatch(SENTENCES[locale])
      expect(detail.match(/\.(?= |$)/g)?.length).toBeLessThanOrEqual(2)
      expect(help).toMatch(SENTENCES[locale])
    }
  },
)

test.each(entries)('%s is in snake case', (code) => {
  expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
})

const fixed = Object.entries(FIELD_FAULTS).filter((entry): entry is [string, Texts] => isFixed(entry[1]))

function isFixed(texts: object): texts is Texts {
  return 'en' in texts && typeof texts.en === 'string'
}

test.each(fixed)('the field error %s has sentences that end with a period', (_code, texts) => {
  for (const locale of LOCALES) expect(texts[locale]).toMatch(SENTENCES[locale])
})

test('a field error contains its location and its code', () => {
  expect(faultAt(['body', 'part_number'], 'part_out_of_range', { part_count: 3 })).toMatchObject({
    loc: ['body', 'part_number'],
    msg: { en: 'The upload has parts 1 to 3. Use one of these numbers.' },
    type: 'part_out_of_range',
  })
})

test('the message of a schema contains every language', () => {
  expect(unpackTexts(schemaFault('file_url_and_url').message)).toEqual(FIELD_FAULTS.file_url_and_url)
})

test.each([
  ['minute', 60, 'You reached the per-minute limit of 60 requests. Try again in 20 seconds.'],
  ['day', 5000, 'You reached the per-day limit of 5000 requests. Try again in 20 seconds.'],
  ['key-day', 3, 'You reached the per-day limit of 3 requests with this API key. Try again in 20 seconds.'],
])('the limit error is %s', (name, limit, sentence) => {
  const facts = { name, limit, retry_after_seconds: 20 }
  expect(sentenceOf({ code: 'rate_limited', facts })).toBe(sentence)
})

test.each([
  [0, 'The code is wrong. Request a new one.'],
  [1, 'The code is wrong. You have 1 attempt left.'],
  [4, 'The code is wrong. You have 4 attempts left.'],
])('with %i guesses left the error says so', (guesses_left, sentence) => {
  expect(sentenceOf({ code: 'wrong_confirmation_code', facts: { guesses_left } })).toBe(sentence)
})
