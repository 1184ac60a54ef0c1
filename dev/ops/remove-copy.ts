import { findOwn, removeCopy } from '../../edge/databases/adopt-restored.ts'
import { notePlaces } from '../../edge/databases/move/note-places.ts'
import type { Database } from '../../edge/platform/database/client.ts'
import type { OpsDeps } from './open-deps.ts'

/**
 * Removes the rows of an account from a database, if another one has the account.
 * @throws Error if no other database has it, or the rows may be the ones in use
 */
export async function removeAccountCopy(
  databases: OpsDeps['databases'],
  account: number,
  from: number,
): Promise<void> {
  const database = databases[from]
  if (database === undefined) throw new Error(`There is no database ${from}.`)
  const found = await Promise.all(
    databases.map(async (db) => ((await findOwn(db.$client, [account])).length > 0 ? [db] : [])),
  )
  const others = found.flat().filter((db) => db !== database)
  const [other] = others
  if (other === undefined) throw new Error(`No other database has account ${account}. Keep its rows.`)
  await requireNoMove(databases, account)
  const [removed, kept] = [await countEntries(database, account), await countEntries(other, account)]
  if (removed > kept) {
    throw new Error(
      `Account ${account} has ${removed} ledger entries in database ${from}, but only ${kept} in database ${other.$number}, so this is the newer one.`,
    )
  }
  await notePlaces(databases[0], account, other)
  await removeCopy(account, database, other)
}

/** A move removes rows itself. Without the account, a database cannot have a move of it. */
async function requireNoMove(databases: OpsDeps['databases'], account: number): Promise<void> {
  for (const { $client, $number } of databases) {
    const { rows } = await $client.execute({
      sql: `SELECT target FROM account_moves
        WHERE account_id = ?1 AND account_id IN (SELECT id FROM accounts)`,
      args: [account],
    })
    const [move] = rows
    if (move === undefined) continue
    throw new Error(
      `Account ${account} moves from database ${$number} to database ${move.target}. Complete the move, or cancel it.`,
    )
  }
}

async function countEntries({ $client }: Database, account: number): Promise<number> {
  const { rows } = await $client.execute({
    sql: 'SELECT count(*) AS total FROM ledger WHERE account_id = ?',
    args: [account],
  })
  return Number(rows[0]?.total)
}
