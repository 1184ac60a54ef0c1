/** @module-tag extended */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backUpAll } from '../../dev/backup/backup-set.ts'
import { backupOf, restoreSet } from '../../dev/backup/restore-set.ts'
import { announceAll } from '../../dev/deploy/announce-all.ts'
import { assertAllDurable, DatabaseSettings, prepareAll } from '../../dev/deploy/prepare-all.ts'
import { closeDatabase } from '../../dev/ops/close-database.ts'
import { requireMovable } from '../../dev/ops/require-movable.ts'
import { verifyDatabases } from '../../dev/ops/verify/verify-databases.ts'
import { verifyLedgers } from '../../dev/ops/verify-ledgers.ts'
import { setDurability } from '../../dev/system/durability.ts'
import { prepareDatabases } from '../../dev/system/migrate.ts'
import { makeSecrets } from '../../dev/system/secrets.ts'
import { startOtherDatabase } from '../../dev/system/system.ts'
import { insertAccount } from '../../edge/accounts/queries.ts'
import { copyGlobalTables } from '../../edge/databases/copy-global-tables.ts'
import { moveAccount } from '../../edge/databases/move/move-account.ts'
import { listAccepting } from '../../edge/platform/database/known-databases.ts'
import { openDatabases } from '../../edge/platform/database/open-databases.ts'
import { makeTestFolder } from '../support/folder.ts'

const folder = makeTestFolder()
const secrets = makeSecrets()
type Started = Awaited<ReturnType<typeof startOtherDatabase>>
const started: Promise<Started>[] = []

function start(): Promise<Started> {
  const dataDirectory = join(folder, `database-${started.length}`)
  const database = startOtherDatabase({ dataDirectory, secrets })
  started.push(database)
  return database
}

function open([home, ...others]: Started[]) {
  return openDatabases({
    DATABASE_URL: home?.url ?? '',
    DATABASE_AUTH_TOKEN: undefined,
    ACCOUNT_DATABASES: others.map(({ url }) => ({ url })),
  })
}

type Databases = ReturnType<typeof open>

/** Opens an account with credits. */
async function openAccount(db: Databases[0]): Promise<number> {
  const email = `${crypto.randomUUID()}@example.com`
  const about = {
    email,
    emailKey: email,
    addressHash: email,
    mailboxHashes: [],
    fullName: null,
    passwordHash: null,
  }
  const row = await insertAccount(db, { ...about, isAdmin: false, createdAt: Date.now() })
  const id = row?.id ?? 0
  const credited = { args: [id, crypto.randomUUID()] }
  await db.$client.batch(
    [
      {
        sql: `INSERT INTO ledger (account_id, sequence, entry_type, amount, balance_after, cause, created_at)
          VALUES (?, 1, 'adjust', 20, 20, ?, 1)`,
        ...credited,
      },
      {
        sql: `INSERT INTO grants (account_id, sequence, kind, amount, "left", granted_at)
          VALUES (?, 1, 'adjust', 20, 20, 1)`,
        args: [id],
      },
    ],
    'write',
  )
  return id
}

const numbersOf = async ({ $client }: Databases[0], sql: string): Promise<number[]> =>
  (await $client.execute(sql)).rows.map((row) => Number(Object.values(row)[0]))

const accountsOf = (db: Databases[0]) => numbersOf(db, 'SELECT id FROM accounts ORDER BY id')
const move = (databases: Databases, account: number, to: number) =>
  moveAccount(databases, account, to, { keep_ms: 0 })

/** Begins a move to the other database, whose command never goes on after a step. */
const killMove = (databases: Databases, account: number, at: string) =>
  new Promise<void>((resolve, reject) => {
    const onStep = (step: string) => {
      if (step !== at) return
      resolve()
      return new Promise<void>(() => undefined)
    }
    moveAccount(databases, account, 1, { onStep }).catch(reject)
  })

const addPackage = (db: Databases[0]) =>
  db.$client.execute(
    `INSERT INTO packages (name, credits, price_cents, currency) VALUES ('Later', 500, 1000, 'USD')`,
  )

/** Fills databases from the backup, checks that they are a deployment, and returns them. */
async function restore(all: Started[], numbers: number[], without_moved = false): Promise<Databases> {
  const backup = backupOf(file, all.length, numbers, Date.now())
  await restoreSet(all, backup, { without_moved })
  await prepareDatabases(all[0] as Started, all.slice(1))
  const databases = open(all)
  expect((await Promise.all(databases.map(verifyLedgers))).flat()).toEqual([])
  return databases
}

let running: Started[]
let databases: Databases
let file: string
/** In the home, which moves to the other database after the backup. */
let leaving: number
/** In the other database; one moves to the home after the backup. */
let staying: number
let returning: number

beforeAll(async () => {
  running = await Promise.all([start(), start()])
  await prepareDatabases(running[0] as Started, running.slice(1))
  databases = open(running)
  const [home, other] = databases
  leaving = await openAccount(home)
  staying = await openAccount(other as Databases[0])
  returning = await openAccount(other as Databases[0])
})
afterAll(() => Promise.all(started.map(async (database) => (await database).stop())))

describe('a backup of several databases', () => {
  async function backUp(onFile: () => unknown = () => undefined): Promise<string[]> {
    const files: string[] = []
    await backUpAll(running, { folder, time: Date.now() }, async (name) => {
      files.push(name)
      await onFile()
    })
    return files
  }

  test('fails while an account moves', async () => {
    await killMove(databases, leaving, 'freeze')
    await expect(backUp()).rejects.toThrow(/^Account \d+ is moving/)
    await move(databases, leaving, 1)
  })

  test('fails if an account moved before it ended', async () => {
    let is_moved = false
    const backup = backUp(async () => {
      if (!is_moved) await move(databases, leaving, 0)
      is_moved = true
    })
    await expect(backup).rejects.toThrow('An account moved during the backup')
  })

  test('has the home last', async () => {
    const files = await backUp()
    expect(files.map((name) => name.includes('-database-1'))).toEqual([true, false])
    file = files.at(-1) ?? ''
    const [home, other] = databases
    await move(databases, leaving, 1)
    await move(databases, returning, 0)
    await addPackage(home)
    await copyGlobalTables(home.$client, (other as Databases[0]).$client)
  })
})

describe('a deployment', () => {
  const settingsOf = (all: Started[]) =>
    DatabaseSettings.parse({
      DATABASE_URL: all[0]?.url,
      ACCOUNT_DATABASES: JSON.stringify(all.slice(1).map(({ url }) => ({ url }))),
      LOGS_DATABASE_URL: '',
    })

  test('prepares all databases', async () => {
    const all = await Promise.all([start(), start()])
    await assertAllDurable(settingsOf(all))
    await prepareAll(settingsOf(all))
    const [home, other] = open(all)
    const operations = 'SELECT count(*) FROM operations'
    expect(await numbersOf(other as Databases[0], operations)).toEqual(await numbersOf(home, operations))
    expect(await numbersOf(other as Databases[0], 'SELECT database FROM id_blocks')).toEqual([1])
    await expect(prepareAll(settingsOf(all.toReversed()))).rejects.toThrow('is not the first one')
  })

  test('is refused while an account moves, and if a database with accounts is left out', async () => {
    const all = await Promise.all([start(), start()])
    await prepareDatabases(all[0] as Started, all.slice(1))
    const own = open(all)
    const account = await openAccount(own[0])
    await killMove(own, account, 'changes')
    await expect(prepareAll(settingsOf(all))).rejects.toThrow(
      `Account ${account} moves from database 0 to database 1. Complete the move: npm run ops -- move-account ${account} --to 1`,
    )
    await move(own, account, 1)
    await expect(prepareAll(settingsOf(all.slice(0, 1)))).rejects.toThrow('Database 1 can have accounts')
    await prepareAll(settingsOf(all))
    const set = { folder, time: 1 }
    await expect(backUpAll(all.slice(0, 1), set, () => undefined)).rejects.toThrow(
      'Database 1 can have accounts',
    )
    expect(await verifyDatabases([own[0]])).toEqual([
      expect.stringContaining('database 1: it can have accounts'),
    ])
    await expect(closeDatabase(own, 1, 0)).resolves.toBe(1)
    await expect(requireMovable(own, 5, 1)).rejects.toThrow('Database 1 accepts no accounts')
    await move(own, account, 0)
    // Of an account that was deleted there.
    await own[1]?.$client.execute(
      `INSERT INTO mailbox_grants (mailbox_hash, welcome_used, retired_at) VALUES ('hash', 1, 1)`,
    )
    await own[0].$client.execute(`INSERT INTO account_places (name, database) VALUES ('email:hash', 1)`)
    await expect(closeDatabase(own, 1, 0)).resolves.toBe(0)
    const counts = `SELECT (SELECT count(*) FROM mailbox_grants), (SELECT count(*) FROM account_places WHERE database = 1)`
    expect(Object.values((await own[0].$client.execute(counts)).rows[0] ?? {})).toEqual([1, 0])
    await prepareAll(settingsOf(all.slice(0, 1)))
  })

  test('lets accounts be placed in a database once the Worker knows it', async () => {
    const all = await Promise.all([start(), start()])
    await prepareAll(settingsOf(all))
    const own = open(all)
    const worker = createServer((_request, response) =>
      response.setHeader('Media-Databases', known).end('{}'),
    )
    worker.listen(0, '127.0.0.1')
    await once(worker, 'listening')
    const url = `http://127.0.0.1:${(worker.address() as AddressInfo).port}`
    let known = '1'
    await expect(announceAll({ url: all[0]?.url ?? '' }, 2, url)).rejects.toThrow('knows 1 of 2 databases')
    known = '2'
    await announceAll({ url: all[0]?.url ?? '' }, 2, url)
    await own[0].$client.execute('UPDATE account_databases SET accepts_from = NULL')
    await announceAll({ url: all[0]?.url ?? '' }, 2, url)
    expect(await listAccepting(own, Date.now() + 120_000)).toEqual([0])
    await announceAll({ url: all[0]?.url ?? '' }, 2, url, { reopens: true })
    worker.close()
    const now = Date.now()
    expect(await listAccepting(own, now)).toEqual([0])
    expect(await listAccepting(own, now + 120_000)).toEqual([0, 1])
  })

  test('lets no account move to or from a database with other migrations', async () => {
    const all = await Promise.all([start(), start()])
    await prepareDatabases(all[0] as Started, all.slice(1))
    const own = open(all)
    await requireMovable(own, 5, 1)
    await own[1]?.$client.execute(
      'DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)',
    )
    await expect(requireMovable(own, 5, 1)).rejects.toThrow(
      'Database 1 has other migrations than this version',
    )
  })

  test('refuses a database that does not wait for its disk', async () => {
    const [home, other] = await Promise.all([start(), start()])
    await setDurability(other.admin_url, 'relaxed')
    await expect(assertAllDurable(settingsOf([home, other]))).rejects.toThrow(`the machine of ${other.url}`)
  })
})

describe('a restore', () => {
  test('of all databases makes them what they were', async () => {
    const [home, other] = await restore(await Promise.all([start(), start()]), [0, 1])
    expect(await accountsOf(home)).toEqual([leaving])
    expect(await accountsOf(other as Databases[0])).toEqual([staying, returning])
  })

  test('of one database keeps each account where it moved to', async () => {
    const all = [running[0] as Started, await start()]
    await expect(restore(all, [1])).rejects.toThrow(`1 accounts moved to this database after the backup`)
    expect(await numbersOf(open(all)[1] as Databases[0], 'SELECT count(*) FROM sqlite_master')).toEqual([0])
    const [home, other] = await restore(all, [1], true)
    expect(await accountsOf(home)).toEqual([returning])
    expect(await accountsOf(other as Databases[0])).toEqual([staying])
    const names = "SELECT count(*) FROM packages WHERE name = 'Later'"
    expect(await numbersOf(other as Databases[0], names)).toEqual([1])
    const [last] = await numbersOf(databases[1] as Databases[0], 'SELECT max(number) FROM id_blocks')
    expect(await openAccount(other as Databases[0])).toBeGreaterThan((Number(last) + 1) * 1e11)
  })

  test('of the home learns the catalog and the blocks of ids from the other', async () => {
    const all = [await start(), running[1] as Started]
    await expect(restore(all, [0])).rejects.toThrow(`are in no other one: ${returning}.`)
    const [home, other] = await restore(all, [0], true)
    expect(await accountsOf(home)).toEqual([])
    expect(await accountsOf(other as Databases[0])).toEqual([leaving, staying].toSorted())
    expect(await numbersOf(home, "SELECT count(*) FROM packages WHERE name = 'Later'")).toEqual([1])
    const noted = `SELECT database FROM account_places WHERE name = 'account:${leaving}'`
    expect(await numbersOf(home, noted)).toEqual([1])
    const blocks = 'SELECT number FROM id_blocks WHERE database = 1 ORDER BY number'
    expect(await numbersOf(home, blocks)).toEqual(await numbersOf(other as Databases[0], blocks))
    expect(Number.isSafeInteger(await openAccount(home))).toBe(true)
    await move(open(all), leaving, 0)
    // The other database is in use, so a later restore of it needs a backup of its own.
    await expect(restore(all, [0, 1])).rejects.toThrow('Database 0 already has tables')
  })

  test('of one database is refused if the others are not restored', async () => {
    await expect(restore([await start(), await start()], [1])).rejects.toThrow('has no tables')
  })
})
