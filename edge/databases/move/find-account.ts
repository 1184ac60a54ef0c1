import { SESSION_SECONDS } from '../../accounts/session-tokens.ts'
import type { Database } from '../../platform/database/client.ts'
import { DAY_MS } from '../../platform/rules/days.ts'

interface AccountPlace {
  source: Database
  state: 'staying' | 'copying' | 'leaving' | 'left'
  /** Empty if it does not move yet. */
  move_id: string
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
        sql: `SELECT a.is_admin, m.move_id, m.state, m.target FROM accounts a
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
    throw new Error(
      `Account ${account} is moving to database ${row.target}. Complete that move: npm run ops -- move-account ${account} --to ${row.target}, or cancel it: npm run ops -- cancel-move ${account}.`,
    )
  }
  if (moving === undefined && db.$number === to) return null
  if (Number(row.is_admin) === 1) throw new Error('Administrators stay in the first database.')
  if (moving === undefined) {
    await requireNoRestore(db)
    await requireNoLog(databases, account)
    await requireSameNews(db, databases[to] ?? db, account)
  }
  return {
    source: db,
    state: (row.state ?? 'staying') as AccountPlace['state'],
    move_id: String(row.move_id ?? ''),
  }
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

/** Older news is not sent any more. */
const NEWS_MS = 7 * DAY_MS

/**
 * Each database sends product news to its subscribers in the order of their ids. A subscriber must not move from before
 * to behind that point, and miss the news, or get it twice.
 */
async function requireSameNews(source: Database, target: Database, account: number): Promise<void> {
  const subscribed = await source.$client.execute({
    sql: 'SELECT 1 FROM email_preferences WHERE account_id = ? AND product_news = 1',
    args: [account],
  })
  if (subscribed.rows.length === 0) return
  const [here, there] = await Promise.all(
    [source, target].map(async ({ $client }) => {
      const { rows } = await $client.execute({
        sql: `SELECT id, finished_at IS NOT NULL OR last_account_id >= ? AS is_sent FROM product_news
          WHERE created_at > ? ORDER BY id`,
        args: [account, Date.now() - NEWS_MS],
      })
      return JSON.stringify(rows.map((row) => Object.values(row)))
    }),
  )
  if (here === there) return
  throw new Error(
    'Product news is being sent to subscribers, of whom this account is one. Move it after that.',
  )
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
