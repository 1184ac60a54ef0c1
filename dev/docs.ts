import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorsPage } from './docs/errors-page.ts'
import { operationsPage } from './docs/page.ts'
import { ROOT } from './system/root.ts'

/** `npm run docs`: generates docs/operations.md from the catalog and docs/errors.md from the error table. */
mkdirSync(join(ROOT, 'docs'), { recursive: true })
for (const [name, page] of [
  ['operations.md', operationsPage()],
  ['errors.md', errorsPage()],
] as const) {
  writeFileSync(join(ROOT, 'docs', name), page)
  console.log(`Wrote docs/${name}`)
}
