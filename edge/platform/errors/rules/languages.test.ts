import { expect, test } from 'vitest'
import { LOCALES, type Locale, type Texts, type TextsFrom, textIn } from '../../../../shared/text/texts.ts'
import type { ErrorEntry } from './entry.ts'
import { FIELD_FAULTS } from './field-faults.ts'
import { CREDENTIAL_HELP, UNDER_MAINTENANCE } from './requests.ts'
import { ERROR_CODES, ERRORS, exampleOf } from './table.ts'

const entries = ERROR_CODES.map((code): [string, ErrorEntry] => [code, ERRORS[code]])
const TRANSLATIONS = ['uk', 'ru'] as const

/** Words of English sentences, as opposed to names of fields, headers and operations. */
const ENGLISH = /\b(a|an|and|are|at|be|for|from|in|is|it|not|of|on|or|than|the|this|to|was|with|your)\b/i

function expectTranslated(text: string, locale: Locale): void {
  const prose = text.replace(/`[^`]*`|\S*[/_]\S*/g, '')
  expect(prose).toMatch(/[а-яіїєґ]/i)
  expect(prose).not.toMatch(ENGLISH)
  if (locale === 'uk') expect(prose).not.toMatch(/[ыэёъ]/i)
  if (locale === 'ru') expect(prose).not.toMatch(/[іїєґ]/i)
}

test.each(ERROR_CODES)('%s is translated', (code) => {
  const english = exampleOf(code)
  expect([english.detail, english.help]).not.toContain('')
  for (const locale of TRANSLATIONS) {
    const { detail, help } = exampleOf(code, locale)
    expectTranslated(detail, locale)
    expectTranslated(help, locale)
  }
})

/** Returns the names of the facts that a text reads. */
function factsIn(locale: Locale, texts: Texts | TextsFrom<never>, example: object): string[] {
  const read = new Set<string>()
  const facts = new Proxy(example, {
    get(target, name) {
      read.add(String(name))
      return Reflect.get(target, name)
    },
  })
  textIn(locale, texts, facts)
  return [...read].toSorted()
}

const withFacts = entries.flatMap(([code, entry]) => ('example' in entry ? [[code, entry] as const] : []))

test.each(withFacts)(
  '%s has the same facts in every language',
  (_code, { detail, help, example, literal }) => {
    for (const locale of TRANSLATIONS) {
      expect(factsIn(locale, help, example)).toEqual(factsIn('en', help, example))
      // The contract fixes literal English sentences, so they have no facts.
      const fixed = literal ? [] : factsIn(locale, detail, example)
      expect(fixed).toEqual(factsIn('en', detail, example))
    }
  },
)

/** Facts for the field errors whose sentence is built from facts. */
const reason: Texts = { en: 'crf: must be set', uk: 'crf: потрібне значення', ru: 'crf: нужно значение' }
const FACTS: Record<string, object> = {
  json_not_form: { endpoint: 'POST /api/v1/jobs/api' },
  preset_not_found: { operation: 'video/trim', count: 2 },
  invalid_preset: { reason },
  duplicate_preset: { label: 'HD' },
  unstorable_body: { reason: 'too_deep' },
  form_invalid: { reason: 'field_too_long', field: 'params' },
  part_out_of_range: { part_count: 3 },
  too_many_client_parts: { part_count: 10_001, part_count_max: 10_000 },
  batch_too_large: { files: 21, in_flight_max: 5 },
  message_too_short: { length_min: 10 },
  message_too_long: { length_max: 4000 },
  settings_conflict: { low: 'withdrawal_days', low_value: 20, high: 'refund_policy_days', high_value: 14 },
}

const faults = Object.entries(FIELD_FAULTS) as [string, Texts | TextsFrom<never>][]

test.each(faults)('the field error %s is translated, with the same facts', (code, texts) => {
  const facts = FACTS[code] ?? {}
  expect(typeof texts.en === 'string').toBe(!(code in FACTS))
  for (const locale of TRANSLATIONS) {
    expectTranslated(textIn(locale, texts, facts), locale)
    expect(factsIn(locale, texts, facts)).toEqual(factsIn('en', texts, facts))
  }
})

test.each(Object.values({ ...CREDENTIAL_HELP, UNDER_MAINTENANCE }))(
  'other texts are translated: $en',
  (texts) => {
    for (const locale of TRANSLATIONS) expectTranslated(texts[locale], locale)
  },
)

test('a table has a text for every language', () => {
  for (const [, { detail, help }] of entries) {
    expect(Object.keys(detail).toSorted()).toEqual(LOCALES.toSorted())
    expect(Object.keys(help).toSorted()).toEqual(LOCALES.toSorted())
  }
})
