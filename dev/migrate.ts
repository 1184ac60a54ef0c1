import { z } from 'zod'
import { prepareDatabase } from './system/migrate.ts'

/** `DATABASE_URL=… DATABASE_AUTH_TOKEN=… npm run migrate`: migrates and seeds the database of a deployment. */
const settings = z.object({ DATABASE_URL: z.url(), DATABASE_AUTH_TOKEN: z.string().optional() })
const parsed = settings.safeParse(process.env)
if (!parsed.success) {
  console.error(
    'DATABASE_URL is not a valid URL. Set it, and DATABASE_AUTH_TOKEN if the database requires a token.',
  )
  process.exit(1)
}
await prepareDatabase(parsed.data.DATABASE_URL, parsed.data.DATABASE_AUTH_TOKEN)
console.log('The database is up to date.')
