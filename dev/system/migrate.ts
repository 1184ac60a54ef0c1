import { join } from 'node:path'
import { type Client, createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { prepareOthers } from '../../edge/databases/prepare-others.ts'
import type { DatabaseAddress } from '../../edge/platform/database/account-databases.ts'
import { seedDatabase } from '../../edge/seed.ts'
import { ROOT } from './root.ts'
import './worker-globals.ts'

export const MIGRATIONS = join(ROOT, 'migrations')

/** Migrates the tables and inserts the seed data. Both steps are idempotent. */
export async function prepareDatabase(url: string, authToken?: string): Promise<void> {
  const client = createClient({ url, authToken })
  try {
    await migrateTables(client)
    await seedDatabase(drizzle(client))
  } finally {
    client.close()
  }
}

/**
 * Prepares the first database and those of ACCOUNT_DATABASES, which get their catalog from the first one.
 * @param accepts_from when accounts are placed in the others; null to leave that as it is
 */
export async function prepareDatabases(
  home: DatabaseAddress,
  others: readonly DatabaseAddress[],
  accepts_from: number | null = 0,
): Promise<void> {
  await prepareDatabase(home.url, home.token)
  await prepareOtherDatabases(home, others, accepts_from)
}

/** Prepares the databases of ACCOUNT_DATABASES, after the first one. */
export async function prepareOtherDatabases(
  home: DatabaseAddress,
  others: readonly DatabaseAddress[],
  accepts_from: number | null = 0,
): Promise<void> {
  if (others.length === 0) return
  const clients = [home, ...others].map(({ url, token }) => createClient({ url, authToken: token }))
  try {
    const [first, ...rest] = clients
    for (const client of rest) await migrateTables(client)
    if (first !== undefined) await prepareOthers(first, rest, accepts_from)
  } finally {
    for (const client of clients) client.close()
  }
}

async function migrateTables(client: Client): Promise<void> {
  await migrate(drizzle(client), { migrationsFolder: MIGRATIONS })
}
