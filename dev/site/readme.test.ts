import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DOCUMENTED_URL } from '../../edge/documentation/documented-url.ts'
import { readPorts } from '../system/ports.ts'
import { ROOT } from '../system/root.ts'
import { readGuide } from './guides.ts'

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

test('the first call in README.md is that of the quick start, which the system tests run', () => {
  const { body } = readGuide('quick-start')
  const snippets = [...body.matchAll(/^```sh title="[^"]+" runnable\n([\s\S]*?)^```$/gm)].map(
    ([, code = '']) => code,
  )
  expect(snippets).toHaveLength(2)
  for (const code of snippets) {
    expect(readme).toContain(code.replaceAll(DOCUMENTED_URL, `http://127.0.0.1:${readPorts({}).edge}`))
  }
})
