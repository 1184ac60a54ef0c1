import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ROOT } from './system/root.ts'

/** The web application as dev/setup.mjs has built it. */
const BUILD = join(ROOT, 'dist/web')
const BYTES_MAX = 150_000

const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
)

/** Lists the files that a browser loads for a module: itself, its style sheets, and all static imports. */
function filesOf(manifest: z.infer<typeof Manifest>, name: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[name]
  if (chunk === undefined) throw new Error(`The build has no ${name}.`)
  if (found.has(chunk.file)) return found
  for (const file of [chunk.file, ...chunk.css]) found.add(file)
  for (const imported of chunk.imports) filesOf(manifest, imported, found)
  return found
}

test.each(['landing/landing.tsx', 'studio/studio.tsx', 'send/send.tsx'])(
  'the first load of %s is below 150 kB compressed',
  (page) => {
    const manifest = Manifest.parse(JSON.parse(readFileSync(join(BUILD, '.vite/manifest.json'), 'utf8')))
    const files = new Set(['index.html', ...filesOf(manifest, 'index.html'), ...filesOf(manifest, page)])
    const sizes = [...files].map((file) => gzipSync(readFileSync(join(BUILD, file))).length)
    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(BYTES_MAX)
  },
)
