import { type Client, createClient } from '@libsql/client'
import { announceDatabases } from '../../edge/databases/prepare-others.ts'
import type { DatabaseAddress } from '../../edge/platform/database/account-databases.ts'
import { DATABASES_HEADER } from '../../edge/platform/database/known-databases.ts'

/** Longer than a version of the Worker trusts that it knows all databases. */
const ANNOUNCED_MS = 90_000
const TIMEOUT_MS = 10_000

/**
 * Lets accounts be placed in all databases soon, after the deployed Worker knows them.
 * @param count of the databases, with the home
 * @param reopens whether to also open databases that were closed to be removed
 * @throws Error if the Worker does not know all of them
 */
export async function announceAll(
  home: DatabaseAddress,
  count: number,
  api_url: string,
  { reopens = false } = {},
): Promise<void> {
  if (count === 1) return
  const client = createClient({
    url: home.url,
    ...(home.token === undefined ? {} : { authToken: home.token }),
  })
  try {
    if (!reopens && (await countAnnounced(client)) === count - 1) return
    await requireKnown(api_url, count)
    const accepts_from = Date.now() + ANNOUNCED_MS
    await announceDatabases(client, count - 1, accepts_from)
    if (reopens) await reopen(client, count, accepts_from)
  } finally {
    client.close()
  }
}

export function describeAnnounced(count: number): string {
  return count === 1
    ? 'ACCOUNT_DATABASES is empty, so all accounts are in the database of DATABASE_URL. Nothing was changed.'
    : `In two minutes, accounts are placed in ${count} databases.`
}

async function reopen(home: Client, count: number, accepts_from: number): Promise<void> {
  await home.execute({
    sql: 'UPDATE account_databases SET accepts_from = ? WHERE accepts_from IS NULL AND number < ?',
    args: [accepts_from, count],
  })
}

async function countAnnounced(home: Client): Promise<number> {
  const { rows } = await home.execute('SELECT count(*) AS total FROM account_databases')
  return Number(rows[0]?.total)
}

async function requireKnown(api_url: string, count: number): Promise<void> {
  const { headers } = await fetch(`${api_url}/api/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  const known = Number(headers.get(DATABASES_HEADER) ?? 1)
  if (known >= count) return
  throw new Error(
    `The Worker of ${api_url} knows ${known} of ${count} databases, so no accounts are placed in the others. Store ACCOUNT_DATABASES with npx wrangler secret put, then: npm run ops -- open-databases`,
  )
}
