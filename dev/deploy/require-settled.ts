import { type Client, createClient } from '@libsql/client'
import type { DatabaseAddress } from '../../edge/platform/database/account-databases.ts'
import { findUnlisted } from '../backup/find-unlisted.ts'

/**
 * Checks, before anything is changed, that no account moves and that no database with accounts is missing in the settings.
 * @param databases the home first
 * @throws Error that says what to do
 */
export async function requireSettled(databases: readonly DatabaseAddress[]): Promise<void> {
  const faults = await Promise.all(
    databases.map(async ({ url, token }, number) => {
      const client = createClient({ url, ...(token === undefined ? {} : { authToken: token }) })
      try {
        const moves = await describeMoves(client, number)
        return number === 0 ? [...moves, ...(await describeMissing(client, databases.length))] : moves
      } finally {
        client.close()
      }
    }),
  )
  const all = faults.flat()
  if (all.length > 0) throw new Error(all.join('\n'))
}

/** A migration changes tables that are being copied. */
async function describeMoves(client: Client, number: number): Promise<string[]> {
  if (!(await hasTable(client, 'account_moves'))) return []
  // The target has a row, too, while a large account arrives.
  const { rows } = await client.execute({
    sql: 'SELECT account_id, target FROM account_moves WHERE target <> ? ORDER BY account_id LIMIT 10',
    args: [number],
  })
  return rows.map(
    ({ account_id, target }) =>
      `Account ${account_id} moves from database ${number} to database ${target}. Complete the move: npm run ops -- move-account ${account_id} --to ${target}, or cancel it: npm run ops -- cancel-move ${account_id}. Then start this command again.`,
  )
}

async function describeMissing(home: Client, count: number): Promise<string[]> {
  return (await findUnlisted(home, count)).map(
    (number) =>
      `Database ${number} can have accounts, but is not in ACCOUNT_DATABASES. Add it again. To remove it, empty it first: npm run ops -- close-database ${number}.`,
  )
}

async function hasTable(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.execute({
    sql: `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`,
    args: [name],
  })
  return rows.length > 0
}
