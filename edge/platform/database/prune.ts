import { sql } from 'drizzle-orm'
import type { Database } from './client.ts'

/** Tables that only tell what was, and what must be so of a row before it may go besides its age. */
const CONDITIONS = {
  request_logs: '',
  web_events: '',
  feedback: '',
  // The sums that outlive them must have them in.
  usage_events: `AND id <= (SELECT coalesce(max(through), 0) FROM rollups WHERE name = 'usage')`,
  job_moves: '',
  webhook_deliveries: `AND status <> 'pending'`,
} as const

export type PrunedTable = keyof typeof CONDITIONS

/**
 * Removes some of the oldest rows of a table, if they are older than a time. Rows are numbered as they
 * come, so that the oldest are found without an index. @returns how many were removed.
 */
export async function pruneOldest(
  db: Database,
  table: PrunedTable,
  before: number,
  limit: number,
): Promise<number> {
  const name = sql.raw(table)
  const { rowsAffected } = await db.run(sql`
    DELETE FROM ${name}
    WHERE rowid IN (SELECT rowid FROM ${name} ORDER BY rowid LIMIT ${limit})
      AND created_at < ${before} ${sql.raw(CONDITIONS[table])}`)
  return rowsAffected
}
