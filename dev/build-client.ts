import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { writeClient } from './generate-client.ts'
import { installedProgram, ROOT } from './system/root.ts'

const CLIENT = join(ROOT, 'client')
const TYPES = join(ROOT, '.data/types')

/** Builds the entries of the client's package: for Node, for browsers and Workers, and the command line. */
export async function buildClient(folder = join(CLIENT, 'dist')): Promise<void> {
  await writeClient()
  rmSync(folder, { recursive: true, force: true })
  const common: BuildOptions = { bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning' }
  await build({
    ...common,
    platform: 'neutral',
    entryPoints: [join(CLIENT, 'src/index.ts')],
    outfile: join(folder, 'web.js'),
  })
  await build({
    ...common,
    platform: 'node',
    entryPoints: [join(CLIENT, 'node/index.ts')],
    outfile: join(folder, 'node.js'),
  })
  await buildCommandLine(folder, common)
}

/** Builds the command line. The bundle includes the argument parser, so the package has no dependencies. */
async function buildCommandLine(folder: string, common: BuildOptions): Promise<void> {
  const program = join(folder, 'media.js')
  await build({
    ...common,
    platform: 'node',
    minify: true,
    entryPoints: [join(CLIENT, 'cli/main.ts')],
    outfile: program,
    // The parser is CommonJS and calls require for Node modules.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
    },
  })
  chmodSync(program, 0o755)
}

/** Adds the type declarations to the package. */
export function copyTypes(folder: string): void {
  const { status } = spawnSync(
    process.execPath,
    [installedProgram('tsc'), '--build', join(CLIENT, 'tsconfig.node.json')],
    {
      stdio: 'inherit',
    },
  )
  if (status !== 0) throw new Error('The client has type errors.')
  const parts = { src: 'client', generated: 'client', node: 'client-node' }
  for (const [part, project] of Object.entries(parts)) {
    cpSync(join(TYPES, project, 'client', part), join(folder, 'types', part), { recursive: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildClient()
  copyTypes(join(CLIENT, 'dist'))
}
