import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Command } from 'commander'
import { describeFaults } from '../shared/settings/setting-rule.ts'
import { announceAll } from './deploy/announce-all.ts'
import { judgeDeployment } from './deploy/judge-deployment.ts'
import { assertAllDurable, homeOf, prepareAll, readDatabaseSettings } from './deploy/prepare-all.ts'
import { readEnvironment } from './deploy/read-environment.ts'
import { readPublished } from './deploy/read-published.ts'
import { runSmokeJob } from './deploy/smoke.ts'
import { openWrangler } from './deploy/wrangler.ts'
import { judgeDocuments } from './legal/judge-documents.ts'
import { legalFolder, readLegalFolder } from './legal/read-folder.ts'

interface Options {
  secrets?: string
  dryRun?: true
}

/** `npm run deploy -- staging|production`: docs/deploy.md describes each step. */
const program = new Command('deploy')
  .argument('<environment>', 'a section of wrangler.toml: staging or production')
  .option('--secrets <file>', 'a file NAME=value with the secrets of the environment')
  .option('--dry-run', 'check the settings and build the Worker, but change nothing')
  .action(deploy)

async function deploy(environment: string, { secrets: file, dryRun }: Options): Promise<void> {
  const { vars } = readEnvironment(environment)
  const secrets = file === undefined ? {} : readSecrets(file)
  const wrangler = openWrangler(environment)
  const secret_names = dryRun ? Object.keys(secrets) : wrangler.listSecrets()
  const { PUBLIC_URL = '' } = vars
  const documents = readLegalFolder(legalFolder(process.env))
  const faults = [
    ...judgeDeployment({ environment, vars, secret_names, secrets }),
    ...judgeDocuments(documents, { environment, published: await readPublished(PUBLIC_URL) }),
  ]
  if (faults.length > 0)
    throw new Error(`The settings of ${environment} are invalid.\n${describeFaults(faults)}`)
  console.log('All settings and documents are valid.')
  if (dryRun) return buildOnly(wrangler)

  const { SMOKE_API_KEY } = process.env
  const databases = readDatabaseSettings({ vars, secret_names, secrets }, process.env)
  if (!databases.DATABASE_AUTH_TOKEN || !SMOKE_API_KEY) {
    throw new Error('Set DATABASE_AUTH_TOKEN and SMOKE_API_KEY in the environment of this command.')
  }
  await assertAllDurable(databases)
  await prepareAll(databases)
  console.log('All databases are up to date.')
  wrangler.deploy(`Deploy ${environment}`)
  try {
    await runSmokeJob(PUBLIC_URL, SMOKE_API_KEY)
  } catch (error) {
    throw new Error(rollBack(wrangler), { cause: error })
  }
  await announceAll(homeOf(databases), 1 + databases.ACCOUNT_DATABASES.length, PUBLIC_URL)
  console.log(`${PUBLIC_URL} serves the new version, and the smoke job succeeded.`)
}

/** Returns what happened. Cloudflare refuses to roll back over a migration of Durable Objects. */
function rollBack(wrangler: ReturnType<typeof openWrangler>): string {
  try {
    wrangler.rollBack('The smoke job failed')
    return 'The smoke job failed, so the previous version serves again.'
  } catch (error) {
    console.error(error)
    return 'The smoke job failed, and the rollback too: the new version still serves.'
  }
}

function buildOnly(wrangler: ReturnType<typeof openWrangler>): void {
  const folder = mkdtempSync(join(tmpdir(), 'media-deploy-'))
  try {
    wrangler.build(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readSecrets(file: string): Record<string, string> {
  const entries = Object.entries(parseEnv(readFileSync(file, 'utf8')))
  return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

await program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  if (error instanceof Error && error.cause !== undefined) console.error(error.cause)
  process.exitCode = 1
})
