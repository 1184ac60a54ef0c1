import { type Client, createClient } from '@libsql/client/web'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/web'
import * as schema from './schema.ts'

export type Database = LibSQLDatabase<typeof schema> & { $client: Client }

/** One statement of a batch, as drizzle builds it. */
export interface Statement {
  toSQL(): { sql: string; params: unknown[] }
}

export function openDatabase(url: string, authToken: string | undefined): Database {
  return drizzle(createClient({ url, authToken }), { schema })
}
