import { type Client, createClient } from '@libsql/client/web'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/web'

export type Database = LibSQLDatabase & { $client: Client }

/** One statement of a batch, as drizzle builds it. */
export interface Statement {
  toSQL(): { sql: string; params: unknown[] }
}

export function openDatabase(url: string, authToken: string | undefined): Database {
  // The client's own queue would let one request wait for another's work alone, which the runtime takes
  // for a hang and ends. Each request sends its statements at once; the database does the queueing.
  const concurrency = Number.MAX_SAFE_INTEGER
  return drizzle(createClient({ url, authToken, concurrency, fetch: fetchPatiently }))
}

const ATTEMPTS_MAX = 40
const PAUSE_MS_MAX = 100

/** A database that has its hands full answers 429 before it does anything: it is asked again, a little later. */
async function fetchPatiently(request: Request): Promise<Response> {
  for (let count = 1; ; count++) {
    const response = await fetch(request.clone())
    if (response.status !== 429 || count >= ATTEMPTS_MAX) return response
    await response.body?.cancel()
    await scheduler.wait(Math.random() * Math.min(PAUSE_MS_MAX, 5 * count))
  }
}
