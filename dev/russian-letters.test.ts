import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './system/root.ts'

/** Words of speech, which may be spelled either way. */
const NO_TEXTS = ['shared/captions/breaks.ts']

test('Russian texts write е, never ё (docs/glossary.md)', () => {
  const files = globSync('{shared,web,edge,media-backend,client/src,client/cli}/**/*.{ts,tsx}', { cwd: ROOT })
  const texts = files.filter((file) => !file.endsWith('.test.ts') && !NO_TEXTS.includes(file))
  expect(texts.length).toBeGreaterThan(500)
  expect(texts.filter((file) => /ё/i.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
})
