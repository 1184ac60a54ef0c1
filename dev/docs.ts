import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { operationsPage } from './docs/page.ts'
import { ROOT } from './system/root.ts'

/** `npm run docs`: writes docs/operations.md out of the catalogue. */
const file = join(ROOT, 'docs/operations.md')
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, operationsPage())
console.log('Wrote docs/operations.md')
