import { z } from 'zod'
import { prepareDatabase } from './system/migrate.ts'

/**
 * `DATABASE_URL=… DATABASE_AUTH_TOKEN=… npm run migrate`: migrates and seeds the database of a deployment, and that of
 * its logs and archive if LOGS_DATABASE_URL and ARCHIVE_DATABASE_URL are set.
 */
const settings = z.object({
  DATABASE_URL: z.url(),
  DATABASE_AUTH_TOKEN: z.string().optional(),
  LOGS_DATABASE_URL: z.url().optional(),
  LOGS_DATABASE_AUTH_TOKEN: z.string().optional(),
  ARCHIVE_DATABASE_URL: z.url().optional(),
  ARCHIVE_DATABASE_AUTH_TOKEN: z.string().optional(),
})
const { data, error } = settings.safeParse(process.env)
if (data === undefined) {
  const names = error.issues.map(({ path }) => path.join('.')).join(', ')
  console.error(`Not a valid URL: ${names}. Set it, and the token beside it if the database requires one.`)
  process.exit(1)
}
await prepareDatabase(data.DATABASE_URL, data.DATABASE_AUTH_TOKEN)
if (data.LOGS_DATABASE_URL !== undefined)
  await prepareDatabase(data.LOGS_DATABASE_URL, data.LOGS_DATABASE_AUTH_TOKEN)
if (data.ARCHIVE_DATABASE_URL !== undefined)
  await prepareDatabase(data.ARCHIVE_DATABASE_URL, data.ARCHIVE_DATABASE_AUTH_TOKEN)
console.log('The database is up to date.')
