import { z } from 'zod'
import { requirePrimaries } from '../../edge/environment/find-replicas.ts'
import { AccountDatabases } from '../../edge/platform/database/account-databases.ts'
import { prepareDatabase, prepareDatabases } from '../system/migrate.ts'
import { assertDurable } from './assert-durable.ts'
import type { DeploymentFacts } from './judge-deployment.ts'
import { requireSettled } from './require-settled.ts'

/** An empty variable of wrangler.toml is not set. */
const OptionalUrl = z.preprocess((value) => (value === '' ? undefined : value), z.url().optional())

/** The settings of the Worker that name its databases. */
export const DatabaseSettings = z.object({
  DATABASE_URL: z.url(),
  DATABASE_AUTH_TOKEN: z.string().optional(),
  ACCOUNT_DATABASES: AccountDatabases,
  LOGS_DATABASE_URL: OptionalUrl,
  LOGS_DATABASE_AUTH_TOKEN: z.string().optional(),
  ARCHIVE_DATABASE_URL: OptionalUrl,
  ARCHIVE_DATABASE_AUTH_TOKEN: z.string().optional(),
})

/**
 * Reads the databases of a deployment. Variables of the command count only if the Worker has them as secrets, so the
 * databases of another system, such as the local one, are neither migrated nor numbered.
 */
export function readDatabaseSettings(
  { vars, secret_names, secrets }: Omit<DeploymentFacts, 'environment'>,
  variables: NodeJS.ProcessEnv,
): DatabaseSettings {
  const stored = Object.entries(variables).filter(([name]) => secret_names.includes(name))
  return DatabaseSettings.parse({ ...Object.fromEntries(stored), ...secrets, ...vars })
}

type DatabaseSettings = z.infer<typeof DatabaseSettings>

export const homeOf = ({ DATABASE_URL, DATABASE_AUTH_TOKEN }: DatabaseSettings) => ({
  url: DATABASE_URL,
  token: DATABASE_AUTH_TOKEN,
})

/** Migrates and seeds all databases of a deployment. @throws before anything is changed if an account moves, or replicas may answer reads */
export async function prepareAll(settings: DatabaseSettings): Promise<void> {
  const { LOGS_DATABASE_URL, ARCHIVE_DATABASE_URL, ACCOUNT_DATABASES } = settings
  const home = homeOf(settings)
  requirePrimaries(home.url, ACCOUNT_DATABASES)
  await requireSettled([home, ...ACCOUNT_DATABASES])
  await prepareDatabases(home, ACCOUNT_DATABASES, null)
  // A move that began during the migration may copy too few columns.
  await requireSettled([home, ...ACCOUNT_DATABASES])
  if (LOGS_DATABASE_URL !== undefined) {
    await prepareDatabase(LOGS_DATABASE_URL, settings.LOGS_DATABASE_AUTH_TOKEN)
  }
  if (ARCHIVE_DATABASE_URL !== undefined) {
    await prepareDatabase(ARCHIVE_DATABASE_URL, settings.ARCHIVE_DATABASE_AUTH_TOKEN)
  }
}

/**
 * Checks that the databases which hold accounts or their jobs wait for their disk: a job is deleted once the archive
 * has it. Logs may be lost.
 * @throws Error that names the remedy
 */
export async function assertAllDurable(settings: DatabaseSettings): Promise<void> {
  await assertDurable(settings.DATABASE_URL, settings.DATABASE_AUTH_TOKEN)
  for (const { url, token } of settings.ACCOUNT_DATABASES) await assertDurable(url, token)
  if (settings.ARCHIVE_DATABASE_URL !== undefined) {
    await assertDurable(settings.ARCHIVE_DATABASE_URL, settings.ARCHIVE_DATABASE_AUTH_TOKEN)
  }
}
