import { SESSION_SECONDS } from '../../accounts/session-tokens.ts'
import type { Database } from '../../platform/database/client.ts'

interface AccountPlace {
  source: Database
  state: 'staying' | 'copying' | 'leaving' | 'left'
}

/**
 * Finds the database from which an account moves.
 * @returns null if it is in the target already, and nothing of it is elsewhere
 * @throws Error if the account is unknown, moves elsewhere, or has to stay
 */
export async function findAccountPlace(
  databases: readonly Database[],
  account: number,
  to: number,
): Promise<AccountPlace | null> {
  const places = await Promise.all(
    databases.map(async (db) => {
      const { rows } = await db.$client.execute({
        sql: `SELECT a.is_admin, m.state, m.target FROM accounts a
          LEFT JOIN account_moves m ON m.account_id = a.id WHERE a.id = ?`,
        args: [account],
      })
      const [row] = rows
      // In the target, there can be a part of it.
      return row === undefined || Number(row.target ?? -1) === db.$number ? [] : [{ db, row }]
    }),
  ).then((found) => found.flat())
  const moving = places.find(({ row }) => row.state !== null)
  const found = moving ?? places[0]
  if (found === undefined) throw new Error(`There is no account ${account}.`)
  const { db, row } = found
  if (moving !== undefined && Number(row.target) !== to) {
    throw new Error(`Account ${account} is moving to database ${row.target}. Finish that first.`)
  }
  if (moving === undefined && db.$number === to) return null
  if (Number(row.is_admin) === 1) throw new Error('Administrators stay in the first database.')
  if (moving === undefined) {
    await requireNoRestore(db)
    await requireNoLog(databases, account)
  }
  return { source: db, state: (row.state ?? 'staying') as AccountPlace['state'] }
}

/** Sessions that started before a restore are not valid. The target does not know that until they have expired. */
async function requireNoRestore({ $client }: Database): Promise<void> {
  const { rows } = await $client.execute({
    sql: 'SELECT 1 FROM restores WHERE restored_at > ? LIMIT 1',
    args: [Date.now() - SESSION_SECONDS * 1000],
  })
  if (rows.length === 0) return
  throw new Error('The database was restored within the last seven days. Move accounts after that.')
}

/** The log of administrators refers to their accounts, and may have put a stand-in for one into the target. */
async function requireNoLog(databases: readonly Database[], account: number): Promise<void> {
  const logs = await Promise.all(
    databases.map(({ $client }) =>
      $client.execute({ sql: 'SELECT 1 FROM audit WHERE administrator_id = ? LIMIT 1', args: [account] }),
    ),
  )
  if (logs.every(({ rows }) => rows.length === 0)) return
  throw new Error('The account was an administrator, to whom the log refers. It stays in the first database.')
}
