import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ROOT } from './system/root.ts'
import { filesOfModule, readManifest } from './web-manifest.ts'

/** The web application as dev/setup.mjs has built it. */
const BUILD = join(ROOT, 'dist/web')
const BYTES_MAX = 150_000
const DOCUMENTS = ['en', 'uk', 'ru', 'uk-member'].map((locale) => `prerendered/${locale}.html`)

const read = (file: string) => readFileSync(join(BUILD, file))

/** Lists the files of this service that a document loads before any script runs. */
function filesOfDocument(file: string): string[] {
  return [
    ...read(file)
      .toString()
      .matchAll(/ (?:src|href)="\/(app\/[^"]+\.(?:js|css))"/g),
  ].map(([, path = '']) => path)
}

test.each([
  ...DOCUMENTS.map((document) => [document, 'landing/landing.tsx']),
  ['index.html', 'studio/studio.tsx'],
  ['index.html', 'send/send.tsx'],
] as [string, string][])('the first load of %s with %s is below 150 kB compressed', (document, page) => {
  const manifest = readManifest(BUILD)
  const modules = filesOfModule(manifest, page, filesOfModule(manifest, 'index.html'))
  const files = new Set([document, ...filesOfDocument(document), ...modules])
  const sizes = [...files].map((file) => gzipSync(read(file)).length)
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(BYTES_MAX)
})

test.each(DOCUMENTS)('%s has the content of the page, and nothing that its policy refuses', (file) => {
  const html = read(file).toString()
  expect(html).toMatch(/<h1[^>]*>[^<]+<\/h1>/)
  expect(html).toContain('id="prices"')
  expect(html).not.toMatch(/ style=|<style|<script>| on\w+=/)
  for (const path of filesOfDocument(file)) expect(read(path).length).toBeGreaterThan(0)
})
