import { createClient } from '@libsql/client'
import type { DatabaseAddress } from './backup.ts'
import { findUnlisted } from './find-unlisted.ts'

/**
 * Reads what every move of an account changes. A set of dumps that are made one after the other contains all accounts
 * only if it is the same before and after them.
 * @throws if an account is moving, or a database is missing
 */
export async function readMoves(addresses: readonly DatabaseAddress[]): Promise<string> {
  const moves = await Promise.all(
    addresses.map(async ({ url, auth_token }, number) => {
      const client = createClient({ url, ...(auth_token === undefined ? {} : { authToken: auth_token }) })
      try {
        const [unlisted] = number === 0 ? await findUnlisted(client, addresses.length) : []
        if (unlisted !== undefined)
          throw new Error(`Database ${unlisted} can have accounts, but is not in ACCOUNT_DATABASES.`)
        if (addresses.length === 1) return []
        const [blocks, moving] = await client.batch(
          ['SELECT number, database FROM id_blocks ORDER BY number', 'SELECT account_id FROM account_moves'],
          'read',
        )
        if ((moving?.rows.length ?? 0) > 0)
          throw new Error(describeMoving(Number(moving?.rows[0]?.account_id)))
        return (blocks?.rows ?? []).map((row) => Object.values(row))
      } finally {
        client.close()
      }
    }),
  )
  return JSON.stringify(moves)
}

const describeMoving = (account: number) =>
  `Account ${account} is moving. Run the backup after that. If no command moves it, start npm run ops -- move-account again, or run: npm run ops -- cancel-move ${account}`
