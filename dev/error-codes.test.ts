import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIELD_FAULTS } from '../edge/platform/errors/rules/field-faults.ts'
import { ERROR_CODES } from '../edge/platform/errors/rules/table.ts'
import { ROOT } from './system/root.ts'

const files = globSync('edge/**/*.ts', { cwd: ROOT, exclude: ['edge/**/*.test.ts', 'edge/**/testing/**'] })
const sources = files
  .filter((file) => !file.startsWith('edge/platform/errors/'))
  .map((file): [string, string] => [file, readFileSync(join(ROOT, file), 'utf8')])
const all = sources.map(([, text]) => text).join('\n')

/** Codes that are computed at run time from an item's kind or from a refund quote. */
const COMPUTED = [
  'plan_not_found',
  'package_not_found',
  'not_settled',
  'window_closed',
  'nothing_left',
  'already_open',
  'fully_refunded',
]

test.each([...ERROR_CODES, ...Object.keys(FIELD_FAULTS)])('%s is used', (code) => {
  expect(all.includes(`'${code}'`) || COMPUTED.includes(code)).toBe(true)
})

/** The HTTP layer maps errors to statuses, and the readiness check's 503 response has no error body. */
const EXEMPT = /^edge\/(http\/|health\/routes)/

test.each(sources.filter(([file]) => !EXEMPT.test(file)))('%s sets no error status itself', (_file, text) => {
  expect(text).not.toMatch(/\bstatus: [45]\d\d\b|json\([^)]*, [45]\d\d\b/)
})

/** Messages of schemas, except those of webhook events and of the environment, which no caller reads. */
const SCHEMA_FILES = globSync(['edge/**/*schema*{.ts,/*.ts}', 'shared/**/*.ts'], {
  cwd: ROOT,
  exclude: ['**/*.test.ts', '**/testing/**', 'shared/settings/**'],
})
const ENGLISH_MESSAGE =
  /\b(?:error|message): (['"`])[^'"`\n]+ |\.(?:regex|refine)\([^'"`\n]*, (['"`])[^'"`\n]+ /

test.each(SCHEMA_FILES)('the messages of schemas in %s are in every language', (file) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).not.toMatch(ENGLISH_MESSAGE)
})
