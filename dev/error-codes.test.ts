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

/** Made from the kind of an item, and of a refund's quote. */
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

/** A readiness check reports its parts with a 503, which is no error body. */
const OTHERS = /^edge\/(http\/|health\/routes)/

test.each(sources.filter(([file]) => !OTHERS.test(file)))('%s makes no status of an error', (_file, text) => {
  expect(text).not.toMatch(/\bstatus: [45]\d\d\b|json\([^)]*, [45]\d\d\b/)
})
