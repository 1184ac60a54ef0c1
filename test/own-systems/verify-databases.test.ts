/** @module-tag extended */

import { join } from 'node:path'
import type { InStatement } from '@libsql/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeAccountCopy } from '../../dev/ops/remove-copy.ts'
import { repairDatabases } from '../../dev/ops/repair-databases.ts'
import { verifyAll } from '../../dev/ops/verify/verify-all.ts'
import { prepareDatabases } from '../../dev/system/migrate.ts'
import { makeSecrets } from '../../dev/system/secrets.ts'
import { startOtherDatabase } from '../../dev/system/system.ts'
import { emailPlaceName } from '../../edge/accounts/place-names.ts'
import { insertAccount } from '../../edge/accounts/queries.ts'
import { moveAccount } from '../../edge/databases/move/move-account.ts'
import { createTriggerStatements } from '../../edge/databases/move/triggers.ts'
import { openDatabases } from '../../edge/platform/database/open-databases.ts'
import { makeTestFolder } from '../support/folder.ts'

const folder = makeTestFolder()
type Databases = ReturnType<typeof openDatabases>
type Database = Databases[0]
let started: Awaited<ReturnType<typeof startOtherDatabase>>[]
let databases: Databases
let home: Database
let other: Database

beforeAll(async () => {
  const secrets = makeSecrets()
  started = await Promise.all(
    ['home', 'other'].map((name) => startOtherDatabase({ dataDirectory: join(folder, name), secrets })),
  )
  const [first, ...rest] = started.map(({ url }) => ({ url }))
  await prepareDatabases(first ?? { url: '' }, rest)
  databases = openDatabases({
    DATABASE_URL: first?.url ?? '',
    DATABASE_AUTH_TOKEN: undefined,
    ACCOUNT_DATABASES: rest,
  })
  home = databases[0]
  other = databases[1] as Database
})
afterAll(() => Promise.all(started.map((database) => database.stop())))

async function openAccount(db: Database, email = `${crypto.randomUUID()}@example.com`): Promise<number> {
  const about = {
    email,
    emailKey: email,
    addressHash: email,
    mailboxHashes: [],
    fullName: null,
    passwordHash: null,
  }
  const row = await insertAccount(db, { ...about, isAdmin: false, createdAt: Date.now() })
  return row?.id ?? 0
}

const run = (db: Database, ...statements: InStatement[]) => db.$client.batch(statements, 'write')
const verify = () => verifyAll(databases)

/** Checks that the fault is found and that the command it names mends it. */
async function expectRepaired(fault: string | RegExp): Promise<void> {
  expect(await verify()).toEqual([expect.stringMatching(fault)])
  await repairDatabases(databases)
  expect(await verify()).toEqual([])
}

test('databases with accounts, of which one has moved and an administrator has a stand-in, have no fault', async () => {
  const [account, administrator] = [await openAccount(home), await openAccount(home)]
  await openAccount(other)
  // Totals of callers without an account.
  await run(home, "INSERT INTO usage_days VALUES (0, 1, 'image', 'resize', 1, 1, 0, 0, 2, 0, 5, 1)")
  await run(
    other,
    `INSERT INTO accounts (id, public_key, email, email_key, blocked_at, created_at)
    VALUES (${administrator}, 'administrator:1', 'administrator:1', 'administrator:1', 1, 1)`,
  )
  await moveAccount(databases, account, 1, { keep_ms: 0 })
  expect(await verify()).toEqual([])
})

test('an account that moves has no fault in any step', async () => {
  const account = await openAccount(home)
  const found: string[][] = []
  const onStep = async (step: string) => {
    if (!['begin', 'copy', 'last changes', 'activate'].includes(step)) found.push(await verify())
  }
  await moveAccount(databases, account, 1, { keep_ms: 0, rows_in_one_commit: 0, onStep })
  expect(found.flat()).toEqual([])
})

describe('an account', () => {
  test('is active in two databases', async () => {
    const account = await openAccount(other)
    await run(
      home,
      `INSERT INTO accounts (id, public_key, email, email_key, created_at) VALUES (${account}, 'two', 'two', 'two', 1)`,
    )
    // As after a restore, which continues the ids.
    await run(home, `UPDATE sqlite_sequence SET seq = 1000 WHERE name = 'accounts'`)
    const found = await verify()
    expect(found).toContainEqual(
      expect.stringMatching(`account ${account}: it is active in databases 0 and 1`),
    )
    await removeAccountCopy(databases, account, 0)
    await repairDatabases(databases)
    expect(await verify()).toEqual([])
    await expect(removeAccountCopy(databases, account, 1)).rejects.toThrow('No other database has')
  })

  test('is in no database', async () => {
    const account = await openAccount(home)
    await run(
      home,
      `UPDATE accounts SET email = 'left:${account}', email_key = 'left:${account}' WHERE id = ${account}`,
    )
    expect(await verify()).toEqual([expect.stringMatching(`account ${account}: no database has it`)])
    await run(home, `DELETE FROM accounts WHERE id = ${account}`)
  })

  test('left rows without a move, which are not newer than the account', async () => {
    const account = await openAccount(other)
    await run(
      home,
      `INSERT INTO accounts (id, public_key, email, email_key, created_at)
        VALUES (${account}, 'left:1', 'left:1', 'left:1', 1)`,
      `INSERT INTO ledger (account_id, sequence, entry_type, amount, balance_after, cause, created_at)
        VALUES (${account}, 1, 'adjust', 20, 20, 'left', 1)`,
    )
    expect(await verify()).toContainEqual(
      expect.stringMatching(`account ${account}: database 0 has rows that are left of it, but no move`),
    )
    await expect(removeAccountCopy(databases, account, 0)).rejects.toThrow('this is the newer one')
    await run(
      other,
      `INSERT INTO ledger (account_id, sequence, entry_type, amount, balance_after, cause, created_at)
        VALUES (${account}, 1, 'adjust', 20, 20, 'kept', 1)`,
      `INSERT INTO grants (account_id, sequence, kind, amount, "left", granted_at)
        VALUES (${account}, 1, 'adjust', 20, 20, 1)`,
    )
    await removeAccountCopy(databases, account, 0)
    await repairDatabases(databases)
    expect(await verify()).toEqual([])
  })

  test('has rows in a database that does not have it', async () => {
    const account = await openAccount(other)
    // Without foreign keys, as when a backup is loaded.
    await home.$client.migrate([
      `INSERT INTO favorites (account_id, operation_id, position, created_at)
        SELECT ${account}, id, 1, 1 FROM operations LIMIT 1`,
      `INSERT INTO templates (account_id, name, version, created_at, updated_at) VALUES (${account}, 'Orphan', 1, 1, 1)`,
    ])
    const tables = '(favorites, templates|templates, favorites)'
    expect(await verify()).toEqual([
      expect.stringMatching(
        `account ${account}: database 0 has rows of it in ${tables}, but not the account`,
      ),
    ])
    await removeAccountCopy(databases, account, 0)
    expect(await verify()).toEqual([])
    await home.$client.migrate([
      `INSERT INTO webhook_attempts (delivery_id, duration_ms, created_at) VALUES ('none', 1, 1)`,
    ])
    expect(await verify()).toEqual([
      expect.stringMatching(/row \d+ of webhook_attempts belongs to no other row/),
    ])
    await home.$client.migrate(['DELETE FROM webhook_attempts'])
  })

  test('moved, and is in no database', async () => {
    const account = await openAccount(home)
    await moveAccount(databases, account, 1, { keep_ms: 0 })
    await run(other, `DELETE FROM accounts WHERE id = ${account}`)
    expect(await verify()).toEqual([
      expect.stringMatching(`account ${account}: it moved from database 0 to database 1, and is in none`),
    ])
    await run(home, `DELETE FROM account_departures WHERE account_id = ${account}`)
  })
})

describe('two accounts', () => {
  test('have the same email address', async () => {
    const email = `${crypto.randomUUID()}@example.com`
    const [here, there] = [await openAccount(home, email), await openAccount(other, email)]
    expect(await verify()).toEqual([
      expect.stringMatching(
        `account ${here} in database 0 and account ${there} in database 1 have the same email address`,
      ),
    ])
    await run(other, `UPDATE accounts SET email_key = 'changed@example.com' WHERE id = ${there}`)
  })

  test('are linked to the same identity', async () => {
    const [here, there] = [await openAccount(home), await openAccount(other)]
    for (const [db, id] of [
      [home, here],
      [other, there],
    ] as const) {
      await run(db, `UPDATE accounts SET idp_issuer = 'issuer', idp_subject = 'subject' WHERE id = ${id}`)
    }
    expect(await verify()).toEqual([expect.stringMatching('are linked to the same identity')])
    await run(other, `UPDATE accounts SET idp_issuer = NULL, idp_subject = NULL WHERE id = ${there}`)
  })
})

describe('a move', () => {
  test('left staging tables', async () => {
    await run(other, 'CREATE TABLE arriving_5_jobs AS SELECT * FROM jobs WHERE 0')
    await expectRepaired('account 5: database 1 has staging tables of it')
  })

  test('left triggers', async () => {
    await run(home, ...createTriggerStatements())
    await expectRepaired(/database 0: it has \d+ triggers of moves/)
  })

  test('has no account', async () => {
    const account = await openAccount(other)
    await run(
      home,
      `INSERT INTO account_moves (account_id, move_id, target, state, started_at) VALUES (${account}, 'm', 1, 'left', 1)`,
    )
    expect(await verify()).toEqual([expect.stringMatching(`account ${account}: database 0 has a move of it`)])
    await removeAccountCopy(databases, account, 0)
    expect(await verify()).toEqual([])
  })
})

describe('ids', () => {
  test('of a block that the home did not assign', async () => {
    await run(other, 'INSERT INTO id_blocks (number, database) VALUES (70, 1)')
    const found = await verify()
    expect(found).toContainEqual(
      expect.stringMatching('it uses block 70 of ids, which the home did not assign'),
    )
    await repairDatabases(databases)
    expect(await verify()).toEqual([])
  })

  test('of a table that begins at 1 after a migration', async () => {
    const fault = /database 1: .* has ids of block 0, but block \d+ is its latest/
    await run(other, `DELETE FROM sqlite_sequence WHERE name = 'audit'`)
    expect(await verify()).toEqual([expect.stringMatching(fault)])
    await prepareDatabases({ url: started[0]?.url ?? '' }, [{ url: started[1]?.url ?? '' }])
    expect(await verify()).toEqual([])
  })
})

describe('the home', () => {
  test('has another catalog', async () => {
    await run(
      home,
      `INSERT INTO packages (name, credits, price_cents, currency) VALUES ('New', 5, 100, 'USD')`,
    )
    await expectRepaired('database 1: packages differs from the home')
  })

  test('looks for credentials and addresses where they are not', async () => {
    const account = await openAccount(home)
    await moveAccount(databases, account, 1, { keep_ms: 0 })
    const { rows } = await other.$client.execute(`SELECT address_hash FROM accounts WHERE id = ${account}`)
    const address = emailPlaceName(String(rows[0]?.address_hash))
    await run(home, `UPDATE account_places SET database = 0 WHERE name = 'account:${account}'`)
    await expectRepaired(`account:${account}: it is in database 1, but the home looks for it in database 0`)
    await run(home, { sql: 'UPDATE account_places SET database = 0 WHERE name = ?', args: [address] })
    await expectRepaired(`account ${account}: it is in database 1, but its address is reserved in database 0`)
    await run(home, `DELETE FROM account_places WHERE name = 'account:${account}'`)
    await expectRepaired(`account ${account}: it has moved, but the home does not know where it is`)
  })
})

describe('an unmatched event', () => {
  const keep = async (outcome: string | null) => {
    const about = crypto.randomUUID()
    const payment = {
      kind: 'payment',
      order_id: about,
      reference: about,
      state: 'paid',
      paid_cents: 500,
      currency: 'USD',
    }
    const { rows } = await home.$client.execute({
      sql: `INSERT INTO unmatched_events (provider, event_id, kind, about, event, occurred_at, created_at, settlements,
        settled_at, outcome) VALUES ('card', ?1, 'payment', ?1, ?2, 1, 1, ?3 IS NOT NULL, ?4, ?3) RETURNING id`,
      args: [about, JSON.stringify({ ...payment, mandate: null }), outcome, outcome === null ? null : 1],
    })
    return { id: Number(rows[0]?.id), about, cause: `unmatched_event:card:${about}:${about}:500` }
  }
  const book = (account: number, cause: string) =>
    run(
      other,
      {
        sql: `INSERT INTO ledger (account_id, sequence, entry_type, amount, balance_after, cause, created_at)
          VALUES (?, 1, 'adjust', 30, 30, ?, 1)`,
        args: [account, cause],
      },
      {
        sql: `INSERT INTO grants (account_id, sequence, kind, amount, "left", granted_at)
          VALUES (?, 1, 'adjust', 30, 30, 1)`,
        args: [account],
      },
    )

  test('was granted, but no ledger has the credits', async () => {
    const [account, administrator] = [await openAccount(other), await openAccount(home)]
    const { id, cause } = await keep('granted')
    await run(home, {
      sql: `INSERT INTO audit (administrator_id, action, target, "after", created_at)
        VALUES (?, 'unmatched_event.settle', ?, ?, 1)`,
      args: [
        administrator,
        `unmatched_event:${id}`,
        JSON.stringify({ account_id: account, credits: 30, note: 'N' }),
      ],
    })
    await expectRepaired(
      `unmatched event ${id} of database 0: its credits were granted, but no ledger has them`,
    )
    const { rows } = await home.$client.execute(`SELECT id, payload FROM outbox WHERE kind = 'grant'`)
    expect(rows.map(({ id: effect, payload }) => [effect, JSON.parse(String(payload))])).toEqual([
      [`grant:${cause}`, { account_id: account, credits: 30, cause, note: 'N' }],
    ])
    await book(account, cause)
    await run(home, 'DELETE FROM outbox')
    expect(await verify()).toEqual([])
  })

  test('is open, but its credits were granted', async () => {
    const account = await openAccount(other)
    const { id, cause } = await keep(null)
    await book(account, cause)
    await expectRepaired(`unmatched event ${id} of database 0: it is open, but its credits were granted`)
  })

  test('was applied, but no database knows that', async () => {
    const { id, about } = await keep('applied')
    expect(await verify()).toEqual([])
    const account = await openAccount(other)
    await other.$client.migrate([
      `INSERT INTO subscriptions (id, account_id, plan_id, started_at, period_end, renewal_status, provider, mandate)
        VALUES ('${about}', ${account}, 1, 1, 2, 'ended', 'card', '${about}')`,
    ])
    await expectRepaired(
      `unmatched event ${id} of database 0: it was applied to a term, but no database knows that`,
    )
    const { rows } = await home.$client.execute(`SELECT settled_at FROM unmatched_events WHERE id = ${id}`)
    expect(rows[0]?.settled_at).toBeNull()
  })
})
