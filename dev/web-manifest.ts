import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
)

/** Reads which files the build of the web application in a folder has written for each module. */
export function readManifest(build: string): z.infer<typeof Manifest> {
  return Manifest.parse(JSON.parse(readFileSync(join(build, '.vite/manifest.json'), 'utf8')))
}

/** Lists the files that a browser loads for a module: itself, its style sheets, and all static imports. */
export function filesOfModule(
  manifest: z.infer<typeof Manifest>,
  name: string,
  found = new Set<string>(),
): Set<string> {
  const chunk = manifest[name]
  if (chunk === undefined) throw new Error(`The build has no ${name}.`)
  if (found.has(chunk.file)) return found
  for (const file of [chunk.file, ...chunk.css]) found.add(file)
  for (const imported of chunk.imports) filesOfModule(manifest, imported, found)
  return found
}
