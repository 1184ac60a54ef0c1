import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, parse } from 'node:path'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { LOOPBACK } from './ports.ts'
import { installedProgram } from './root.ts'

/**
 * Runs the Worker as `wrangler dev` does, but bundles it once as for a deployment, and has neither a proxy before the
 * Worker nor a watch on its source. Miniflare starts workerd again after it was killed, which takes half a second.
 */
const [config = '', port, state = ''] = process.argv.slice(2)
const bundle = join(state, 'bundle')
const options = ['--config', config, '--dry-run', '--minify', '--outdir', bundle]
execFileSync(process.execPath, [installedProgram('wrangler'), 'deploy', ...options])

// wrangler's own version, with its version of workerd.
const load = createRequire(installedProgram('wrangler'))
const { convertV4MiniflareOptions, Log, LogLevel, Miniflare }: typeof import('miniflare') = load('miniflare')
const { workerOptions, externalWorkers } = unstable_getMiniflareWorkerOptions(config)
const { modulesRules: _, ...rest } = workerOptions
const { main } = JSON.parse(readFileSync(config, 'utf8')) as { main: string }
const path = join(bundle, `${parse(main).name}.js`)
const script = { modulesRoot: bundle, modules: [{ type: 'ESModule', path }] }
new Miniflare(
  convertV4MiniflareOptions({
    ...{ host: LOOPBACK, port: Number(port), defaultPersistRoot: state, cf: false },
    log: new Log(LogLevel.WARN),
    unsafeTriggerHandlers: true,
    workers: [{ ...rest, ...script }, ...externalWorkers],
  } as Parameters<typeof convertV4MiniflareOptions>[0]),
)
