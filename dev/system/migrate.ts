import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { seedDatabase } from '../../edge/seed.ts'
import { ROOT } from './root.ts'

/** Migrates the tables and inserts the seed data. Both steps are idempotent. */
export async function prepareDatabase(url: string, authToken?: string): Promise<void> {
  const client = createClient({ url, authToken })
  try {
    const database = drizzle(client)
    await migrate(database, { migrationsFolder: join(ROOT, 'migrations') })
    await seedDatabase(database)
  } finally {
    client.close()
  }
}
