import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { seedDatabase } from '../../edge/seed.ts'
import { ROOT } from './root.ts'

/** Brings the tables up to date, then lays in what the product needs from its first day. Both repeatable. */
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
