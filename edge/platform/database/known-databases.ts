import { desc, lte } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { accountDatabases } from '../../tables.ts'
import { TtlCache } from '../ttl-cache.ts'
import { type Database, DatabaseUnavailable } from './client.ts'

/** Names the number of databases that a Worker knows, if there are several. */
export const DATABASES_HEADER = 'Media-Databases'

/** Shorter than the time from announcing a database to the first account in it. */
const FRESH_MS = 30_000
const highest = new TtlCache<'number', number>({ fresh_ms: FRESH_MS })

/**
 * Called before something counts as unknown. While versions of the Worker change, one that does not know a database must
 * not end a session, open a second account or refuse an event of a payment provider.
 * @throws DatabaseUnavailable if the home lists a database that this version does not know
 */
export async function requireAllKnown({
  databases,
  clock,
}: Pick<Deps, 'databases' | 'clock'>): Promise<void> {
  const [home] = databases
  const number = await highest.load(home, 'number', clock.now(), () => readHighest(home))
  if (number < databases.length) return
  throw new DatabaseUnavailable(`this version of the Worker does not know database ${number}`)
}

async function readHighest(home: Database): Promise<number> {
  const { number } = accountDatabases
  const [row] = await home.select({ number }).from(accountDatabases).orderBy(desc(number)).limit(1)
  return row?.number ?? 0
}

/** Returns the numbers of the databases in which new accounts are placed. */
export async function listAccepting(databases: Deps['databases'], now: number): Promise<number[]> {
  const { number, acceptsFrom } = accountDatabases
  const rows = await databases[0].select({ number }).from(accountDatabases).where(lte(acceptsFrom, now))
  return [0, ...rows.map((row) => row.number).filter((each) => each < databases.length)]
}
