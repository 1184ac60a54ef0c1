import { createClient } from '@libsql/client'
import type { DatabaseAddress } from './backup.ts'

/**
 * Reads what every move of an account changes. A set of dumps that are made one after the other contains all accounts
 * only if it is the same before and after them.
 * @throws if an account is moving
 */
export async function readMoves(addresses: readonly DatabaseAddress[]): Promise<string> {
  if (addresses.length < 2) return ''
  const moves = await Promise.all(
    addresses.map(async ({ url, auth_token }) => {
      const client = createClient({ url, ...(auth_token === undefined ? {} : { authToken: auth_token }) })
      try {
        const [blocks, moving] = await client.batch(
          ['SELECT number, database FROM id_blocks ORDER BY number', 'SELECT account_id FROM account_moves'],
          'read',
        )
        if ((moving?.rows.length ?? 0) > 0)
          throw new Error('An account is moving. Run the backup after that.')
        return (blocks?.rows ?? []).map((row) => Object.values(row))
      } finally {
        client.close()
      }
    }),
  )
  return JSON.stringify(moves)
}
