import type { InValue } from '@libsql/client/web'
import type { Database } from '../platform/database/client.ts'
import { addRestStatements } from '../statistics/usage-queries.ts'
import { copyGlobalTables } from './copy-global-tables.ts'
import { beginBlockStatements, takeBlock } from './id-blocks.ts'
import { leave, removeRows } from './move/leave.ts'
import { notePlaces } from './move/note-places.ts'
import { prepareOthers } from './prepare-others.ts'
import { repairEvents } from './torn-events.ts'

type Client = Database['$client']
type Reader = Pick<Client, 'execute'>
type Databases = readonly [home: Database, ...others: Database[]]

/** Rows of accounts, without those that stand for an administrator or are left of an account that moved. */
export const OWN_ACCOUNTS = `email_key NOT GLOB 'administrator:*' AND email_key NOT GLOB 'left:*'`
/** Ids in a response, or in a query. */
const IDS_AT_ONCE = 5000

/**
 * Lists the accounts that moved to lost databases after their backup, and are in none of the others. The backup cannot
 * have them.
 */
export async function findLostMoves(
  live: readonly Reader[],
  lost: readonly number[],
  backup_at: number,
): Promise<number[]> {
  const departed = await Promise.all(
    live.map(async (client) => {
      const { rows } = await client.execute({
        sql: `SELECT account_id FROM account_departures
          WHERE left_at >= ? AND target IN (${lost.join(', ')}) ORDER BY account_id`,
        args: [backup_at],
      })
      return rows.map(({ account_id }) => Number(account_id))
    }),
  )
  const ids = new Set(departed.flat())
  for (const client of live) for (const id of await findOwn(client, [...ids])) ids.delete(id)
  return [...ids].toSorted((one, other) => one - other)
}

/**
 * Makes databases that were filled from backups a part of the deployment again: an account is in one database, the catalog is
 * the newest one, and no id is given out twice.
 */
export async function adoptRestored(databases: Databases, restored: readonly number[]): Promise<void> {
  const [home, ...others] = databases
  const live = databases.filter(({ $number }) => !restored.includes($number))
  if (restored.includes(0)) {
    await collectBlocks(home, others)
    // The home is where the catalog is changed, and each other database has a copy of the last change.
    const [newest] = live
    if (newest !== undefined) await copyGlobalTables(newest.$client, home.$client)
  }
  for (const database of databases.filter(({ $number }) => restored.includes($number))) {
    for (const other of live) await removeMoved(database, other)
    await beginBlock(databases, database)
  }
  if (restored.includes(0)) await notePlacesOfMoved(databases)
  await prepareOthers(
    home.$client,
    others.map(({ $client }) => $client),
    // The backup of the home may not know that they have accounts.
    restored.includes(0) ? 0 : null,
  )
  await repairEvents(databases, Date.now())
}

/** Notes again in the home where accounts are that moved, which its backup may not know. */
export async function notePlacesOfMoved(databases: Databases): Promise<void> {
  const departed = await Promise.all(
    databases.map(({ $client }) => $client.execute('SELECT account_id FROM account_departures')),
  )
  const ids = [...new Set(departed.flatMap(({ rows }) => rows.map(({ account_id }) => Number(account_id))))]
  for (const database of databases) {
    for (const account of await findOwn(database.$client, ids))
      await notePlaces(databases[0], account, database)
  }
}

/** Records in the home which blocks of ids are used. */
export async function collectBlocks(home: Database, others: readonly Database[]): Promise<void> {
  for (const { $client, $number } of others) {
    const { rows } = await $client.execute({
      sql: 'SELECT number FROM id_blocks WHERE database = ?',
      args: [$number],
    })
    await home.$client.batch(
      rows.map(({ number }) => ({
        sql: 'INSERT INTO id_blocks (number, database) VALUES (?, ?) ON CONFLICT DO NOTHING',
        args: [Number(number), $number],
      })),
      'write',
    )
  }
}

/** Removes the accounts that moved to another database after the backup: there they are newer. */
async function removeMoved(restored: Database, other: Database): Promise<void> {
  for (let after = -1; ; ) {
    const { rows } = await other.$client.execute({
      sql: `SELECT id FROM accounts WHERE id > ? AND ${OWN_ACCOUNTS} ORDER BY id LIMIT ${IDS_AT_ONCE}`,
      args: [after],
    })
    const ids = rows.map(({ id }) => Number(id))
    for (const account of await findOwn(restored.$client, ids)) await removeCopy(account, restored, other)
    after = ids.at(-1) ?? after
    if (ids.length < IDS_AT_ONCE) return
  }
}

/** Removes the rows of an account from a database; another one has the account. Repeating it continues. */
export async function removeCopy(account: number, from: Database, other: Database): Promise<void> {
  const move_id = crypto.randomUUID()
  await from.$client.execute({
    sql: `INSERT OR REPLACE INTO account_moves (account_id, move_id, target, state, started_at)
      VALUES (?, ?, ?, 'leaving', ?)`,
    args: [account, move_id, other.$number, Date.now()],
  })
  const route = { account, source: from.$client, target: other.$client }
  await leave(route, move_id)
  await removeRows(route, move_id)
}

/** Returns which of the accounts a database has. */
export async function findOwn(client: Reader, ids: readonly number[]): Promise<number[]> {
  const found: number[] = []
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const part = ids.slice(from, from + IDS_AT_ONCE).join(', ')
    const { rows } = await client.execute(`SELECT id FROM accounts WHERE id IN (${part}) AND ${OWN_ACCOUNTS}`)
    found.push(...rows.map(({ id }) => Number(id)))
  }
  return found
}

/** Numbers new rows in a block that no database has used. */
export async function beginBlock(databases: Databases, database: Database): Promise<void> {
  const [home, ...others] = databases.map(({ $client }) => $client)
  if (home === undefined) return
  const block = await takeBlock([home, ...others], database.$number)
  const added = addRestStatements(database).map((statement) => {
    const { sql, params } = statement.getQuery()
    return { sql, args: params as InValue[] }
  })
  await database.$client.batch([...added, ...beginBlockStatements(block, database.$number)], 'write')
}
