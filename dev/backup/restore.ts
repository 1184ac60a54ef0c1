import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient } from '@libsql/client'
import { prepareDatabase } from '../system/migrate.ts'
import type { DatabaseAddress } from './backup.ts'
import { skipReceipts } from './skip-receipts.ts'
import { isFrame, splitDump } from './split-dump.ts'

/** Limits of one request to the database. */
const STATEMENTS_MAX = 500
const CHARACTERS_MAX = 1_000_000
/** Ids that the lost period may have used are not given out again. */
const IDS_SKIPPED = 1_000_000
/** The same for blocks of ids, of which there are far fewer: an account takes one when it moves. */
const BLOCKS_SKIPPED = 100

/**
 * Fills an empty database from a backup, migrates it to this version, and ends all sessions that started before. Sessions
 * name the second of their start, so the time of the restore is the start of the next second, and the restore ends then.
 * @param number number of the database
 * @param backup_at time of the backup
 * @throws Error if the database is not empty
 */
export async function restore(
  { url, auth_token }: DatabaseAddress,
  lines: AsyncIterable<string>,
  { number = 0, backup_at, now }: { number?: number; backup_at: number; now: number },
): Promise<void> {
  const restored_at = (Math.floor(now / 1000) + 1) * 1000
  const client = createClient({ url, ...(auth_token === undefined ? {} : { authToken: auth_token }) })
  try {
    await requireEmpty(client)
    await load(client, lines)
    await prepareDatabase(url, auth_token)
    await client.batch(
      [
        {
          sql: 'INSERT INTO restores (restored_at, backup_at) VALUES (?, ?)',
          args: [restored_at, backup_at],
        },
        {
          sql: `UPDATE sqlite_sequence SET seq = seq + CASE name WHEN 'id_blocks' THEN ? ELSE ? END`,
          args: [BLOCKS_SKIPPED, IDS_SKIPPED],
        },
        ...skipReceipts(number, restored_at),
      ],
      'write',
    )
    await wait(restored_at - now)
  } finally {
    client.close()
  }
}

/** @throws Error if a database has tables, whose rows would be mixed with those of the backup */
export async function requireEmpty(client: Client, number = 0): Promise<void> {
  const { rows } = await client.execute("SELECT count(*) AS tables FROM sqlite_master WHERE type = 'table'")
  if (Number(rows[0]?.tables) === 0) return
  throw new Error(
    `Database ${number} already has tables. Restore into an empty one, so that nothing is overwritten.`,
  )
}

async function load(client: Client, lines: AsyncIterable<string>): Promise<void> {
  let batch: string[] = []
  let characters = 0
  const send = async () => {
    // `migrate` disables foreign keys: a row can precede the one that it references.
    if (batch.length > 0) await client.migrate(batch)
    batch = []
    characters = 0
  }
  for await (const statement of splitDump(lines)) {
    if (isFrame(statement)) continue
    batch.push(statement)
    characters += statement.length
    if (batch.length === STATEMENTS_MAX || characters > CHARACTERS_MAX) await send()
  }
  await send()
}
