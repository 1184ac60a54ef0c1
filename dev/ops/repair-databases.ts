import { beginBlock, collectBlocks, notePlacesOfMoved } from '../../edge/databases/adopt-restored.ts'
import { copyGlobalTables } from '../../edge/databases/copy-global-tables.ts'
import { dropStaging, takeStaging } from '../../edge/databases/move/staging.ts'
import { dropTriggers } from '../../edge/databases/move/triggers.ts'
import { repairEvents } from '../../edge/databases/torn-events.ts'
import type { OpsDeps } from './open-deps.ts'
import { findStrayBlocks } from './verify/check-blocks.ts'
import { readMoves, readTables } from './verify/check-moves.ts'
import { correctPlaces } from './verify/check-places.ts'

/**
 * Repairs what `ops verify` finds between several databases, as far as there is one right answer. Repeating it changes
 * nothing.
 */
export async function repairDatabases(databases: OpsDeps['databases']): Promise<void> {
  const [home, ...others] = databases
  await dropRemains(databases)
  const stray = await findStrayBlocks(databases)
  await collectBlocks(home, others)
  for (const number of stray) {
    const database = databases[number]
    if (database !== undefined) await beginBlock(databases, database)
  }
  for (const { $client } of others) await copyGlobalTables(home.$client, $client)
  await notePlacesOfMoved(databases)
  await correctPlaces(databases)
  await repairEvents(databases, Date.now())
}

/** Drops staging tables and triggers that no move uses. */
async function dropRemains(databases: OpsDeps['databases']): Promise<void> {
  const tables = await Promise.all(databases.map(readTables))
  const moves = (await Promise.all(databases.map(readMoves))).flat()
  for (const [index, { $client }] of databases.entries()) {
    for (const account of tables[index]?.staged ?? []) {
      if (moves.some((move) => move.account === account)) continue
      const route = { account, source: $client, target: $client, command: crypto.randomUUID() }
      await takeStaging(route)
      await dropStaging(route)
    }
    await dropTriggers($client)
  }
}
