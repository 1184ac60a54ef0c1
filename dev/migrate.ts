import { z } from 'zod'
import { AccountDatabases } from '../edge/platform/database/account-databases.ts'
import { requireSupported } from './ops/settings.ts'
import { prepareDatabase, prepareDatabases } from './system/migrate.ts'

/**
 * `DATABASE_URL=… DATABASE_AUTH_TOKEN=… npm run migrate`: migrates and seeds the database of a deployment, those of
 * ACCOUNT_DATABASES, and those of its logs and archive if LOGS_DATABASE_URL and ARCHIVE_DATABASE_URL are set.
 */
const settings = z.object({
  DATABASE_URL: z.url(),
  DATABASE_AUTH_TOKEN: z.string().optional(),
  ACCOUNT_DATABASES: AccountDatabases,
  LOGS_DATABASE_URL: z.url().optional(),
  LOGS_DATABASE_AUTH_TOKEN: z.string().optional(),
  ARCHIVE_DATABASE_URL: z.url().optional(),
  ARCHIVE_DATABASE_AUTH_TOKEN: z.string().optional(),
})
const { data, error } = settings.safeParse(process.env)
if (data === undefined) {
  const names = error.issues.map(({ path }) => path.join('.')).join(', ')
  console.error(`Not valid: ${names}. Set the URL, and the token beside it if the database requires one.`)
  process.exit(1)
}
requireSupported(process.env)
await prepareDatabases({ url: data.DATABASE_URL, token: data.DATABASE_AUTH_TOKEN }, data.ACCOUNT_DATABASES)
if (data.LOGS_DATABASE_URL !== undefined)
  await prepareDatabase(data.LOGS_DATABASE_URL, data.LOGS_DATABASE_AUTH_TOKEN)
if (data.ARCHIVE_DATABASE_URL !== undefined)
  await prepareDatabase(data.ARCHIVE_DATABASE_URL, data.ARCHIVE_DATABASE_AUTH_TOKEN)
console.log('The database is up to date.')
