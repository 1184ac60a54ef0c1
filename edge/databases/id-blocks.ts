import type { InStatement } from '@libsql/client/web'
import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../platform/database/client.ts'
import { BLOCK_IDS, BLOCKS_MAX } from '../platform/database/ids.ts'
import { GLOBAL_TABLES, TABLES } from './table-owners.ts'

type Client = Pick<Database['$client'], 'batch' | 'execute'>

/** Numbered by each database for itself, or copied from the home. */
const UNNUMBERED: readonly string[] = [...GLOBAL_TABLES, 'account_changes', 'id_blocks']

/** Names of the tables whose ids must be unique over all databases: SQLite assigns them. */
export const NUMBERED_TABLES: readonly string[] = [...TABLES]
  .filter(([name, table]) => !UNNUMBERED.includes(name) && isNumbered(table))
  .map(([name]) => name)

function isNumbered(table: SQLiteTable): boolean {
  return Object.values(getTableColumns(table)).some(
    (column) => 'autoIncrement' in column && column.autoIncrement === true,
  )
}

/**
 * Takes a block of ids from the home, above those of all databases: a home that was restored from a backup may not know
 * the last ones. A block that is not used is lost, which does no harm.
 * @throws if there are no more blocks
 */
export async function takeBlock(
  databases: readonly [home: Client, ...others: Client[]],
  number: number,
): Promise<number> {
  const highest = await Promise.all(
    databases.map(async (client) => {
      const { rows } = await client.execute('SELECT coalesce(max(number), 0) AS last FROM id_blocks')
      return Number(rows[0]?.last)
    }),
  )
  const { rows } = await databases[0].execute({
    sql: `INSERT INTO id_blocks (number, database)
      SELECT 1 + max(CAST(?1 AS INTEGER), (SELECT coalesce(max(number), 0) FROM id_blocks),
        (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'id_blocks')), CAST(?2 AS INTEGER)
      RETURNING number`,
    args: [Math.max(...highest), number],
  })
  const block = Number(rows[0]?.number)
  if (block >= BLOCKS_MAX) throw new Error(`All ${BLOCKS_MAX} blocks of ids are in use.`)
  return block
}

/**
 * Numbers new rows from the beginning of a block, unless the database began a later one, for example because another
 * account arrived first. Usage events that are there count as summed, so all of them must be in the daily totals.
 */
export function beginBlockStatements(block: number, database: number): InStatement[] {
  return [
    {
      sql: 'INSERT INTO id_blocks (number, database) VALUES (?, ?) ON CONFLICT DO NOTHING',
      args: [block, database],
    },
    ...continueBlockStatements(block),
    {
      sql: `INSERT INTO rollups (name, through)
        SELECT 'usage', max(CAST(? AS INTEGER), (SELECT coalesce(max(id), 0) FROM usage_events)) WHERE true
        ON CONFLICT (name) DO UPDATE SET through = max(rollups.through, excluded.through)`,
      args: [block * BLOCK_IDS],
    },
  ]
}

/**
 * Returns statements that let tables number their rows in a block, or in a later one, also if a migration has created or
 * rebuilt them since: SQLite would begin at 1, as another database does.
 */
export function continueBlockStatements(block: number): InStatement[] {
  const first = block * BLOCK_IDS
  return NUMBERED_TABLES.flatMap((name) => [
    {
      sql: `INSERT INTO sqlite_sequence (name, seq) SELECT ?1, CAST(?2 AS INTEGER)
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)`,
      args: [name, first],
    },
    {
      sql: 'UPDATE sqlite_sequence SET seq = CAST(?2 AS INTEGER) WHERE name = ?1 AND seq < ?2',
      args: [name, first],
    },
  ])
}
