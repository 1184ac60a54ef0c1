import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type LegalText, pathOf } from '../edge/legal/rules/documents.ts'
import { listMissing } from './legal/judge-documents.ts'
import { type LegalFile, legalFolder, readLegalFolder } from './legal/read-folder.ts'
import { renderLegalPage } from './legal/render-page.ts'
import { ROOT } from './system/root.ts'
import { filesOfModule, readManifest } from './web-manifest.ts'

/**
 * Writes the pages of the legal documents to dist/web/prerendered, and the list of their versions, by which the Worker
 * chooses a page and stamps orders (edge/legal).
 */
const BUILD = join(ROOT, 'dist/web')

const folder = legalFolder(process.env)
const files = readLegalFolder(folder)
const missing = listMissing(files)
if (missing.length > 0) throw new Error(`${folder} lacks ${missing.join(', ')}.`)

const styles = [...listStyles(), writeStyles()]
for (const file of files) {
  const path = join('prerendered', pathOf(file))
  write(`${path}.html`, renderLegalPage(file, styles))
  write(`${path}.md`, file.source)
}
write('legal/documents.json', JSON.stringify(files.map(toText)))

/** Colors, sizes and elements of the web application. */
function listStyles(): string[] {
  return [...filesOfModule(readManifest(BUILD), 'index.html')].filter((file) => file.endsWith('.css'))
}

function writeStyles(): string {
  const css = readFileSync(join(import.meta.dirname, 'legal/page.css'), 'utf8')
  const name = `app/legal-${createHash('sha256').update(css).digest('hex').slice(0, 8)}.css`
  write(name, css)
  return name
}

function toText({ document, locale, version, sha256, is_current }: LegalFile): LegalText {
  return { document, locale, version, sha256, is_current }
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(BUILD, name)), { recursive: true })
  writeFileSync(join(BUILD, name), text)
}
