import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorsPage } from './docs/errors-page.ts'
import { operationsPage } from './docs/page.ts'
import { ROOT } from './system/root.ts'

/** `npm run docs`: writes docs/operations.md out of the catalogue, and docs/errors.md out of the table of errors. */
mkdirSync(join(ROOT, 'docs'), { recursive: true })
for (const [name, page] of [
  ['operations.md', operationsPage()],
  ['errors.md', errorsPage()],
] as const) {
  writeFileSync(join(ROOT, 'docs', name), page)
  console.log(`Wrote docs/${name}`)
}
