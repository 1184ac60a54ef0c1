import { expect, test } from 'vitest'
import { suggestName } from './suggest.ts'

const FIELDS = [
  'service_slug',
  'operation_key',
  'params',
  'webhook_url',
  'file_url',
  'width',
  'crf',
  'duration_seconds',
]

test.each([
  ['widht', 'width'],
  ['Width', 'width'],
  ['serviceSlug', 'service_slug'],
  ['operation', 'operation_key'],
  ['operaton_key', 'operation_key'],
  ['url', 'file_url'],
  ['webhook', 'webhook_url'],
  ['parms', 'params'],
  ['duration', 'duration_seconds'],
])('%s suggests %s', (given, suggested) => {
  expect(suggestName(given, FIELDS)).toBe(suggested)
})

test.each(['zzz', 'x', 'quality', '', 'a'.repeat(10_000), 'constructor', '__proto__'])(
  'suggests nothing for the name %#',
  (given) => {
    expect(suggestName(given, FIELDS)).toBeUndefined()
  },
)

test('suggests nothing without known names', () => {
  expect(suggestName('width', [])).toBeUndefined()
})
