import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorsPage } from './docs/errors-page.ts'
import { operationsPage } from './docs/page.ts'
import { makeMedia } from './site/make-media.ts'
import { DATA_DIRECTORY, ROOT } from './system/root.ts'

/**
 * `npm run docs`: generates docs/operations.md from the catalog and docs/errors.md from the error table.
 * `npm run docs -- --media`: also makes the previews of the site from the results of `npm run demo -- --all`.
 */
mkdirSync(join(ROOT, 'docs'), { recursive: true })
for (const [name, page] of [
  ['operations.md', operationsPage()],
  ['errors.md', errorsPage()],
] as const) {
  writeFileSync(join(ROOT, 'docs', name), page)
  console.log(`Wrote docs/${name}`)
}
if (process.argv.includes('--media')) {
  const count = await makeMedia(join(DATA_DIRECTORY, 'demo'))
  console.log(`Wrote docs/site/media: previews of ${count} operations`)
}
