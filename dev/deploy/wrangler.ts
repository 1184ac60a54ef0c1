import { spawnSync } from 'node:child_process'
import { z } from 'zod'
import { installedProgram, ROOT } from '../system/root.ts'

const Secrets = z.array(z.looseObject({ name: z.string() }))

/** Runs wrangler for one environment. @throws Error if it fails */
export function openWrangler(environment: string) {
  function run(args: readonly string[], stdout: 'inherit' | 'pipe'): string {
    const all = [installedProgram('wrangler'), ...args, '--env', environment]
    const { status, stdout: text } = spawnSync(process.execPath, all, {
      cwd: ROOT,
      stdio: ['ignore', stdout, 'inherit'],
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`wrangler ${args.join(' ')} failed.`)
    return text ?? ''
  }
  return {
    listSecrets: (): string[] =>
      Secrets.parse(JSON.parse(run(['secret', 'list', '--format', 'json'], 'pipe'))).map(({ name }) => name),
    build: (folder: string) => run(['deploy', '--dry-run', '--outdir', folder], 'inherit'),
    deploy: (message: string) => run(['deploy', '--strict', '--message', message], 'inherit'),
    rollBack: (message: string) => run(['rollback', '--yes', '--message', message], 'inherit'),
  }
}
