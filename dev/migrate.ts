import { DatabaseSettings, prepareAll } from './deploy/prepare-all.ts'

/**
 * `DATABASE_URL=… DATABASE_AUTH_TOKEN=… npm run migrate`: migrates and seeds the database of a deployment, those of
 * ACCOUNT_DATABASES, and those of its logs and archive if LOGS_DATABASE_URL and ARCHIVE_DATABASE_URL are set.
 */
const { data, error } = DatabaseSettings.safeParse(process.env)
if (data === undefined) {
  const names = error.issues.map(({ path }) => path.join('.')).join(', ')
  console.error(`Not valid: ${names}. Set the URL, and the token beside it if the database requires one.`)
  process.exit(1)
}
await prepareAll(data)
console.log('The database is up to date.')
