import { sql } from 'drizzle-orm'
import type { Database } from './client.ts'

/** History tables, each with the condition for deleting a row in addition to its age. */
const CONDITIONS = {
  request_logs: '',
  web_events: '',
  feedback: '',
  // Only rows that are already included in the daily totals.
  usage_events: `AND id <= (SELECT coalesce(max(through), 0) FROM rollups WHERE name = 'usage')`,
  job_moves: '',
  webhook_deliveries: `AND status <> 'pending'`,
  webhook_attempts: '',
} as const

export type PrunedTable = keyof typeof CONDITIONS

/**
 * Deletes a limited number of a table's oldest rows, if they are older than the given time. Ids increase over time,
 * so no index on the time is needed.
 * @returns the number of deleted rows.
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
