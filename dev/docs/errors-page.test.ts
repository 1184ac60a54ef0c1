import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../edge/platform/errors/rules/table.ts'
import { ROOT } from '../system/root.ts'
import { errorsPage } from './errors-page.ts'

const page = errorsPage()

test('docs/errors.md matches the error table; `npm run docs` generates it', () => {
  expect(readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')).toBe(page)
})

test('lists every code once', () => {
  const codes = [...page.matchAll(/^- `(\w+)` \(\d+\)/gm)].map(([, code]) => code)
  expect(codes.toSorted()).toEqual(ERROR_CODES.toSorted())
})
