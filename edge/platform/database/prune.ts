import { type SQL, sql } from 'drizzle-orm'
import { isNotMoving } from './account-moving.ts'
import type { Database } from './client.ts'
import { BLOCK_IDS } from './ids.ts'

const ANY = sql`true`

/** History tables, each with the condition for deleting a row in addition to its age. */
const CONDITIONS = {
  request_logs: ANY,
  web_events: ANY,
  feedback: ANY,
  // Only rows that are already included in the daily totals.
  usage_events: sql`id <= (SELECT coalesce(max(through), 0) FROM rollups WHERE name = 'usage')
    AND ${isNotMoving(sql`usage_events.account_id`)}`,
  job_moves: isNotMoving(sql`(SELECT j.account_id FROM jobs j WHERE j.id = job_moves.job_id)`),
  webhook_deliveries: sql`status <> 'pending' AND ${isNotMoving(sql`webhook_deliveries.account_id`)}`,
  webhook_attempts: isNotMoving(
    sql`(SELECT d.account_id FROM webhook_deliveries d WHERE d.id = webhook_attempts.delivery_id)`,
  ),
} as const satisfies Record<string, SQL>

export type PrunedTable = keyof typeof CONDITIONS

/**
 * Deletes a limited number of a table's oldest rows, if they are older than the given time. Ids of a block increase over
 * time, so no index on the time is needed.
 * @param first the first id of the block; see listBlocks
 * @returns the number of deleted rows.
 */
export async function pruneOldest(
  db: Database,
  table: PrunedTable,
  { first, before, limit }: { first: number; before: number; limit: number },
): Promise<number> {
  const name = sql.raw(table)
  const { rowsAffected } = await db.run(sql`
    DELETE FROM ${name}
    WHERE rowid IN (SELECT rowid FROM ${name}
      WHERE rowid >= ${first} AND rowid < ${first + BLOCK_IDS} ORDER BY rowid LIMIT ${limit})
      AND created_at < ${before} AND ${CONDITIONS[table]}`)
  return rowsAffected
}

/** Lists the first id of each block of which a table has rows: accounts that moved keep the ids of other databases. */
export async function listBlocks(db: Database, table: PrunedTable): Promise<number[]> {
  const blocks: number[] = []
  for (let from = 0; ; from += BLOCK_IDS) {
    const [row] = await db.all<{ first: number | null }>(
      sql`SELECT min(rowid) AS first FROM ${sql.raw(table)} WHERE rowid >= ${from}`,
    )
    if (typeof row?.first !== 'number') return blocks
    from = row.first - (row.first % BLOCK_IDS)
    blocks.push(from)
  }
}
