import { type SQL, sql } from 'drizzle-orm'
import { isNotMoving, isOwnerNotMoving } from './account-moving.ts'
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
  job_moves: isOwnerNotMoving(sql`(SELECT j.account_id FROM jobs j WHERE j.id = job_moves.job_id)`),
  webhook_deliveries: sql`status <> 'pending' AND ${isNotMoving(sql`webhook_deliveries.account_id`)}`,
  webhook_attempts: isOwnerNotMoving(
    sql`(SELECT d.account_id FROM webhook_deliveries d WHERE d.id = webhook_attempts.delivery_id)`,
  ),
} as const satisfies Record<string, SQL>

export type PrunedTable = keyof typeof CONDITIONS

/** A range of ids that increase over time. */
interface Block {
  first: number
  /** The first id after the block. */
  end: number
}

type Bounds = Block & { before: number; limit: number }

/** All ids of a table, where all accounts are in one database. */
export const ALL_IDS: Block = { first: Number.MIN_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER }

/**
 * Deletes a limited number of a block's oldest rows, if they are older than the given time. Ids of a block increase over
 * time, so no index on the time is needed.
 * @returns the number of deleted rows.
 */
export async function pruneOldest(db: Database, table: PrunedTable, bounds: Bounds): Promise<number> {
  const { rowsAffected } = await db.run(pruneStatement(table, bounds))
  return rowsAffected
}

/** Returns the statement of pruneOldest. */
export function pruneStatement(table: PrunedTable, { first, end, before, limit }: Bounds): SQL {
  const name = sql.raw(table)
  return sql`
    DELETE FROM ${name}
    WHERE rowid IN (SELECT rowid FROM ${name}
      WHERE rowid >= ${first} AND rowid < ${end} ORDER BY rowid LIMIT ${limit})
      AND created_at < ${before} AND ${CONDITIONS[table]}`
}

/** Lists the blocks of which a table has rows: accounts that moved keep the ids of other databases. */
export async function listBlocks(db: Database, table: PrunedTable): Promise<Block[]> {
  const blocks: Block[] = []
  for (let from = 0; ; from += BLOCK_IDS) {
    const [row] = await db.all<{ first: number | null }>(
      sql`SELECT min(rowid) AS first FROM ${sql.raw(table)} WHERE rowid >= ${from}`,
    )
    if (typeof row?.first !== 'number') return blocks
    from = row.first - (row.first % BLOCK_IDS)
    blocks.push({ first: from, end: from + BLOCK_IDS })
  }
}
