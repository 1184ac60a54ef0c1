import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const GZIP_BYTES_MAX = 12_000

async function bundle(entry: string, platform: 'neutral' | 'node') {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    platform,
    metafile: true,
    write: false,
  })
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  return { size_bytes: gzipSync(outputFiles[0]?.contents ?? '').length, imported }
}

test('the client for browsers and Workers imports nothing and has less than 12 kB compressed', async () => {
  const { size_bytes, imported } = await bundle('src/index.ts', 'neutral')
  expect(imported).toEqual([])
  expect(size_bytes).toBeLessThan(GZIP_BYTES_MAX)
})

test('the client for Node imports only modules of Node and has less than 12 kB compressed', async () => {
  const { size_bytes, imported } = await bundle('node/index.ts', 'node')
  expect(imported.filter((path) => !path.startsWith('node:'))).toEqual([])
  expect(size_bytes).toBeLessThan(GZIP_BYTES_MAX)
})
