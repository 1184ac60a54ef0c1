import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { jobs } from '../tables.ts'

/** Repeats the exact condition of a partial index, so ended jobs are not scanned. */
const IS_OPEN = sql`status IN ('queued', 'processing')`

/** Matches jobs that read a file: its URL and its dispatch contain the unguessable part of its key. */
function reads(key: string): SQL {
  const [kind, id] = key.split('/')
  return sql`instr(${jobs.dispatch}, ${`${kind}/${id}/`}) > 0`
}

/** Selects one open job of an account that reads a file. */
export function openReaderQuery(db: Database, accountId: number, key: string) {
  return db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.accountId, accountId), IS_OPEN, reads(key)))
    .limit(1)
}
