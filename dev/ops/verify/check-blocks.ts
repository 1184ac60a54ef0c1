import { NUMBERED_TABLES } from '../../../edge/databases/id-blocks.ts'
import type { Database } from '../../../edge/platform/database/client.ts'
import { BLOCK_IDS } from '../../../edge/platform/database/ids.ts'
import { type BlockFacts, judgeBlocks, strayDatabases } from './judge-blocks.ts'

/** Finds ids that are numbered outside of the blocks that the home assigned to a database. */
export async function checkBlocks(databases: readonly Database[]): Promise<string[]> {
  return judgeBlocks(await Promise.all(databases.map(readBlocks)))
}

/** Returns the numbers of the databases that need a new block. */
export async function findStrayBlocks(databases: readonly Database[]): Promise<number[]> {
  return strayDatabases(await Promise.all(databases.map(readBlocks)))
}

async function readBlocks({ $client, $number }: Database): Promise<BlockFacts> {
  const [blocks, ...tables] = await $client.batch(
    [
      'SELECT number, database FROM id_blocks ORDER BY number',
      ...NUMBERED_TABLES.map(
        (name) => `SELECT '${name}' AS name, max(coalesce((SELECT max(rowid) FROM "${name}"), 0),
          coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${name}'), 0)) AS last`,
      ),
    ],
    'read',
  )
  return {
    database: $number,
    blocks: (blocks?.rows ?? []).map(({ number, database }) => ({
      number: Number(number),
      database: Number(database),
    })),
    tables: tables.flatMap(({ rows }) =>
      rows.map(({ name, last }) => ({ name: String(name), block: Math.floor(Number(last) / BLOCK_IDS) })),
    ),
  }
}
