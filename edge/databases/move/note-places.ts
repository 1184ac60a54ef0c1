import {
  emailPlaceName,
  keyPlaceName,
  sessionPlaceName,
  unsubscribePlaceName,
} from '../../accounts/place-names.ts'
import type { Database } from '../../platform/database/client.ts'
import { commit } from '../../platform/database/commit.ts'
import { notePlacesStatement } from '../../platform/database/place-queries.ts'

/**
 * Notes in the home where the account is. Its address can then not open a second account, and its credentials are found
 * without asking all databases.
 */
export async function notePlaces(
  home: Database,
  account: number,
  { $client, $number }: Database,
): Promise<void> {
  const [found, keys, preferences] = await $client.batch(
    [
      { sql: 'SELECT email_key, address_hash, public_key FROM accounts WHERE id = ?', args: [account] },
      { sql: 'SELECT hash FROM api_keys WHERE account_id = ?', args: [account] },
      {
        sql: 'SELECT unsubscribe_token AS token FROM email_preferences WHERE account_id = ?',
        args: [account],
      },
    ],
    'read',
  )
  const row = found?.rows[0]
  if (row === undefined || String(row.email_key).startsWith('left:'))
    throw new Error(`Account ${account} is not in database ${$number} any more.`)
  const names = [
    emailPlaceName(String(row.address_hash)),
    ...[String(row.public_key), String(account)].map(sessionPlaceName),
    ...(keys?.rows ?? []).map(({ hash }) => keyPlaceName(String(hash))),
    ...(preferences?.rows ?? []).map(({ token }) => unsubscribePlaceName(String(token))),
  ]
  await commit(home, [notePlacesStatement(home, names, $number)])
}
