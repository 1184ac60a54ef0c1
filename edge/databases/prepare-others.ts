import type { Database } from '../platform/database/client.ts'
import { copyGlobalTables } from './copy-global-tables.ts'
import { beginBlockStatements, continueBlockStatements, takeBlock } from './id-blocks.ts'

type Client = Pick<Database['$client'], 'batch' | 'execute'>

/** The row of the home among the blocks of ids. It numbers its rows from 0 until an account moves to it. */
const HOME_BLOCK = 0

/**
 * Prepares migrated databases for accounts: gives each its number and block of ids, and copies the global tables.
 * Repeating it changes nothing.
 * @param accepts_from when accounts are placed in them; null to leave that as it is
 * @throws if a database is not the one that its position says, for example because the setting was reordered
 */
export async function prepareOthers(
  home: Client,
  others: readonly Client[],
  accepts_from: number | null = null,
): Promise<void> {
  if (others.length === 0) return
  const ofHome = await listBlocks(home)
  if (ofHome.length > 0 && !ofHome.some(({ number }) => number === HOME_BLOCK)) {
    throw new Error('The database of DATABASE_URL is not the first one of this deployment.')
  }
  await home.execute({
    sql: 'INSERT INTO id_blocks (number, database) VALUES (?, 0) ON CONFLICT DO NOTHING',
    args: [HOME_BLOCK],
  })
  for (const index of others.keys()) await prepareOther([home, ...others], index + 1)
  for (const [number, client] of [home, ...others].entries()) await continueBlock(client, number)
  if (accepts_from !== null) await announceDatabases(home, others.length, accepts_from)
}

/**
 * Lets accounts be placed in databases from a time on, at which all versions of the Worker that do not know them refuse
 * what they cannot find. Databases that were announced before stay as they are.
 */
export async function announceDatabases(home: Client, count: number, accepts_from: number): Promise<void> {
  const announced = Array.from({ length: count }, (_, index) => ({
    sql: 'INSERT INTO account_databases (number, accepts_from) VALUES (?, ?) ON CONFLICT DO NOTHING',
    args: [index + 1, accepts_from],
  }))
  if (announced.length > 0) await home.batch(announced, 'write')
}

/** The home numbers its rows from 1 until it begins a block. */
async function continueBlock(client: Client, number: number): Promise<void> {
  const own = (await listBlocks(client)).filter(({ database }) => database === number)
  const latest = Math.max(HOME_BLOCK, ...own.map((block) => block.number))
  if (latest > HOME_BLOCK) await client.batch(continueBlockStatements(latest), 'write')
}

async function prepareOther(
  databases: readonly [home: Client, ...others: Client[]],
  number: number,
): Promise<void> {
  const [home] = databases
  const other = databases[number]
  if (other === undefined) throw new Error(`There is no database ${number}.`)
  const blocks = await listBlocks(other)
  if (blocks.length === 0) {
    const { rows } = await other.execute('SELECT 1 FROM accounts LIMIT 1')
    if (rows.length > 0) throw new Error(`Database ${number} has accounts of another deployment.`)
    await other.batch(beginBlockStatements(await takeBlock(databases, number), number), 'write')
  } else if (blocks.some(({ database, number: block }) => database !== number || block === HOME_BLOCK)) {
    throw new Error(`Database ${number} of ACCOUNT_DATABASES has another number. Do not change their order.`)
  }
  const known = new Set((await listBlocks(home)).map((block) => block.number))
  const lost = (await listBlocks(other)).find((block) => !known.has(block.number))
  if (lost !== undefined) {
    throw new Error(
      `The first database does not know block ${lost.number} of database ${number}. It was restored from a backup that is ` +
        'older. See docs/databases.md.',
    )
  }
  await copyGlobalTables(home, other)
}

async function listBlocks(client: Client): Promise<{ number: number; database: number }[]> {
  const { rows } = await client.execute('SELECT number, database FROM id_blocks')
  return rows.map(({ number, database }) => ({ number: Number(number), database: Number(database) }))
}
