import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './system/root.ts'

/**
 * Builds the documentation site if anything it can depend on has changed. dev/assets.mjs runs this before the
 * system starts. The sources are compared first, because loading them to render the pages takes a second.
 */
const SOURCES = [
  'docs/site',
  'dev/site',
  'dev/docs',
  'dev/demo',
  'examples',
  'client',
  'shared',
  'edge',
  'package-lock.json',
  'CHANGELOG.md',
]
const IS_SOURCE = /^(?!\.astro\b|node_modules\b|web\b).*(?<!\.test)\.\w+$/
const STAMP = join(ROOT, 'dist/site/sources')

const hash = hashSources()
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== hash) {
  const { buildSite } = await import('./site/build.ts')
  buildSite()
  mkdirSync(join(ROOT, 'dist/site'), { recursive: true })
  writeFileSync(STAMP, hash)
}

function hashSources(): string {
  const sum = createHash('sha256')
  for (const source of SOURCES)
    for (const file of listFiles(source)) sum.update(file).update(readFileSync(join(ROOT, file)))
  return sum.digest('hex')
}

function listFiles(source: string): string[] {
  if (!existsSync(join(ROOT, source))) return []
  if (/\.\w+$/.test(source)) return [source]
  const names = readdirSync(join(ROOT, source), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => IS_SOURCE.test(name))
    .toSorted()
    .map((name) => join(source, name))
}
