import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { ROOT } from '../system/root.ts'

/** Keeps the places of the programs that the fleet starts beside its modules. */
const OWN_URLS: Plugin = {
  name: 'own URLs',
  setup: ({ onLoad }) =>
    onLoad({ filter: /media-backend\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const url = JSON.stringify(pathToFileURL(path).href)
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' }
    }),
}

/**
 * Bundles the fleet into one file, which starts in half the time of hundreds of modules.
 * @returns the path of the file
 */
export async function bundleFleet(folder: string): Promise<string> {
  const outfile = join(folder, 'fleet.mjs')
  await build({
    entryPoints: [join(ROOT, 'media-backend/index.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [OWN_URLS],
    logLevel: 'error',
  })
  return outfile
}
