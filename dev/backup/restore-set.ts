import { access } from 'node:fs/promises'
import { type Client, createClient } from '@libsql/client'
import { adoptRestored, findLostMoves } from '../../edge/databases/adopt-restored.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'
import { type DatabaseAddress, readBackup } from './backup.ts'
import { filesOf, timeOf } from './backup-set.ts'
import { requireEmpty, restore } from './restore.ts'

/** The files from which databases are restored, by the number of the database. */
interface Backup {
  backup_at: number
  files: ReadonlyMap<number, string>
}

/** Returns the files of the run that made a backup, for databases to restore. */
export function backupOf(file: string, count: number, numbers: readonly number[], now: number): Backup {
  // A single database, such as an archive, can be restored from a file of any name.
  if (count === 1) return { backup_at: timeOf(file) ?? now, files: new Map([[0, file]]) }
  const { time, files } = filesOf(file, numbers)
  return { backup_at: time, files: new Map(files.map((each, index) => [numbers[index] ?? 0, each])) }
}

/**
 * Fills empty databases from backups of one run. The others of the deployment, if any, are in use.
 * @throws before anything is changed if a database or a file is not as it must be, or if accounts would be lost that moved
 *   to a restored database after the backup, unless `without_moved` accepts that
 */
export async function restoreSet(
  addresses: readonly DatabaseAddress[],
  { backup_at, files }: Backup,
  { without_moved }: { without_moved: boolean },
): Promise<void> {
  const restored = [...files.keys()].toSorted((one, other) => one - other)
  const live = [...addresses.keys()].filter((number) => !files.has(number))
  for (const number of restored) {
    if (addresses[number] === undefined) throw new Error(`There is no database ${number}.`)
    await access(files.get(number) ?? '')
  }
  await usingClients(addresses, async (clients) => {
    const clientOf = (number: number) => clients[number] as Client
    for (const number of restored) await requireEmpty(clientOf(number), number)
    for (const number of live) await requirePrepared(clientOf(number), number)
    const lost = await findLostMoves(live.map(clientOf), restored, backup_at)
    if (lost.length > 0 && !without_moved) throw new Error(describeLost(lost))
    for (const number of restored) {
      const address = addresses[number] as DatabaseAddress
      await restore(address, readBackup(files.get(number) ?? ''), { number, backup_at, now: Date.now() })
    }
  })
  if (addresses.length === 1) return
  const databases = addresses.map(({ url, auth_token }, number) => openDatabase(url, auth_token, { number }))
  await adoptRestored(databases as [(typeof databases)[number], ...typeof databases], restored)
}

async function usingClients(
  addresses: readonly DatabaseAddress[],
  use: (clients: Client[]) => Promise<void>,
): Promise<void> {
  const clients = addresses.map(({ url, auth_token }) =>
    createClient({ url, ...(auth_token === undefined ? {} : { authToken: auth_token }) }),
  )
  try {
    await use(clients)
  } finally {
    for (const client of clients) client.close()
  }
}

async function requirePrepared(client: Client, number: number): Promise<void> {
  const { rows } = await client.execute(`SELECT 1 FROM sqlite_master WHERE name = 'account_departures'`)
  if (rows.length > 0) return
  throw new Error(
    `Database ${number} is not restored, but it has no tables. Restore it together with the others, or migrate it first.`,
  )
}

function describeLost(accounts: readonly number[]): string {
  const shown = accounts.slice(0, 20).join(', ')
  return (
    `${accounts.length} accounts moved to this database after the backup, and are in no other one: ${shown}. Use a newer ` +
    'backup. With --without-moved, they are lost.'
  )
}
