import { OWN_ACCOUNTS } from '../../../edge/databases/adopt-restored.ts'
import type { Database } from '../../../edge/platform/database/client.ts'
import { readPages } from './read-pages.ts'

/** Names of account_places by which credentials are found, and the query of those that a database has. */
const NAMES = {
  account: `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM accounts a
    WHERE (a.public_key = value OR a.id = CAST(value AS INTEGER) AND value NOT GLOB '*[^0-9]*') AND ${OWN_ACCOUNTS})`,
  key: 'SELECT hash AS value FROM api_keys WHERE hash IN (SELECT value FROM json_each(?))',
  unsubscribe: `SELECT unsubscribe_token AS value FROM email_preferences
    WHERE unsubscribe_token IN (SELECT value FROM json_each(?))`,
} as const

interface Misplaced {
  /** Of account_places. */
  name: string
  noted: number
  /** The databases that have it. */
  actual: number[]
}

type Databases = readonly [home: Database, ...others: Database[]]

/** Finds credentials that the home looks for in another database than the one that has them. */
export async function checkPlaces(databases: Databases): Promise<string[]> {
  const found: string[] = []
  for await (const { name, noted, actual } of findMisplaced(databases)) {
    found.push(
      `${name.slice(0, 30)}: it is in database ${actual.join(', ')}, but the home looks for it in database ${noted}. Correct it: npm run ops -- repair-databases`,
    )
  }
  return found
}

/** Lets the home look for credentials in the database that has them. */
export async function correctPlaces(databases: Databases): Promise<void> {
  for await (const { name, noted, actual } of findMisplaced(databases)) {
    await databases[0].$client.execute({
      sql: 'UPDATE account_places SET database = ? WHERE name = ? AND database = ?',
      args: [actual[0] ?? noted, name, noted],
    })
  }
}

async function* findMisplaced(databases: Databases): AsyncGenerator<Misplaced> {
  for (const [kind, sql] of Object.entries(NAMES)) {
    // A semicolon follows the colon.
    const pages = `SELECT name AS key, database FROM account_places
      WHERE name > ? AND name < '${kind};' ORDER BY name LIMIT ?`
    for await (const rows of readPages(databases[0], pages, `${kind}:`)) {
      const hintOf = (name: unknown) => String(name).slice(kind.length + 1)
      const places = await findValues(
        databases,
        sql,
        rows.map(({ key }) => hintOf(key)),
      )
      for (const { key, database } of rows) {
        const actual = places.get(hintOf(key))
        if (actual === undefined || actual.has(Number(database))) continue
        yield { name: String(key), noted: Number(database), actual: [...actual] }
      }
    }
  }
}

/** Returns the databases that have each value. */
async function findValues(databases: readonly Database[], sql: string, values: readonly string[]) {
  const places = new Map<string, Set<number>>()
  await Promise.all(
    databases.map(async ({ $client, $number }) => {
      const { rows } = await $client.execute({ sql, args: [JSON.stringify(values)] })
      for (const { value } of rows) {
        const name = String(value)
        places.set(name, (places.get(name) ?? new Set()).add($number))
      }
    }),
  )
  return places
}
