import { emailPlaceName, sessionPlaceName } from '../../../edge/accounts/place-names.ts'
import { OWN_ACCOUNTS } from '../../../edge/databases/adopt-restored.ts'
import type { Database } from '../../../edge/platform/database/client.ts'
import { readPages } from './read-pages.ts'

type Databases = readonly [home: Database, ...others: Database[]]

const ADDRESSES_MAX = 500
const REMEDY = 'Correct it: npm run ops -- repair-databases'

/** Finds accounts that moved and are in no database, or of which the home does not know where they are. */
export async function checkDepartures(databases: Databases): Promise<string[]> {
  const found: string[] = []
  const sql = `SELECT account_id AS key, target FROM account_departures
    WHERE account_id > ? ORDER BY account_id LIMIT ?`
  for (const db of databases) {
    for await (const rows of readPages(db, sql, -1)) {
      const ids = rows.map(({ key }) => Number(key))
      const places = await findAccounts(databases, ids)
      const noted = await findNoted(databases[0], ids.map(String).map(sessionPlaceName))
      for (const { key, target } of rows) {
        const isPresent = places.has(Number(key))
        if (!isPresent)
          found.push(
            `account ${key}: it moved from database ${db.$number} to database ${target}, and is in none. Restore database ${target} from a newer backup`,
          )
        else if (!noted.has(sessionPlaceName(String(key))))
          found.push(`account ${key}: it has moved, but the home does not know where it is. ${REMEDY}`)
      }
    }
  }
  return [...found, ...(await checkAddresses(databases))]
}

/** Checks the reserved addresses of the accounts that moved last: those of a sign-up never change. */
async function checkAddresses(databases: Databases): Promise<string[]> {
  const last = await Promise.all(
    databases.map(({ $client }) =>
      $client.execute({
        sql: 'SELECT account_id, left_at FROM account_departures ORDER BY left_at DESC LIMIT ?',
        args: [ADDRESSES_MAX],
      }),
    ),
  )
  const newest = last
    .flatMap(({ rows }) => rows)
    .toSorted((one, other) => Number(other.left_at) - Number(one.left_at))
    .slice(0, ADDRESSES_MAX)
  const ids = [...new Set(newest.map(({ account_id }) => Number(account_id)))]
  const places = await findAccounts(databases, ids)
  const names = new Map<string, number>()
  for (const [id, { address_hash }] of places) names.set(emailPlaceName(address_hash), id)
  const noted = await findNoted(databases[0], [...names.keys()])
  return [...noted].flatMap(([name, number]) => {
    const id = names.get(name) ?? 0
    const actual = places.get(id)?.numbers ?? []
    if (actual.includes(number)) return []
    return [
      `account ${id}: it is in database ${actual.join(', ')}, but its address is reserved in database ${number}. ${REMEDY}`,
    ]
  })
}

async function findAccounts(databases: Databases, ids: readonly number[]) {
  const found = new Map<number, { address_hash: string; numbers: number[] }>()
  for (const { $client, $number } of databases) {
    const { rows } = await $client.execute({
      sql: `SELECT id, address_hash FROM accounts
        WHERE id IN (SELECT value FROM json_each(?)) AND ${OWN_ACCOUNTS}`,
      args: [JSON.stringify(ids)],
    })
    for (const { id, address_hash } of rows) {
      const before = found.get(Number(id))?.numbers ?? []
      found.set(Number(id), { address_hash: String(address_hash), numbers: [...before, $number] })
    }
  }
  return found
}

async function findNoted({ $client }: Database, names: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await $client.execute({
    sql: 'SELECT name, database FROM account_places WHERE name IN (SELECT value FROM json_each(?))',
    args: [JSON.stringify(names)],
  })
  return new Map(rows.map(({ name, database }) => [String(name), Number(database)]))
}
