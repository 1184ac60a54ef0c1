/** @module-tag extended */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLedgers } from '../../dev/ops/verify-ledgers.ts'
import { prepareDatabase } from '../../dev/system/migrate.ts'
import { makeSecrets } from '../../dev/system/secrets.ts'
import { startOtherDatabase } from '../../dev/system/system.ts'
import { type Database, openDatabase } from '../../edge/platform/database/client.ts'
import { makeTestFolder } from '../support/folder.ts'

const dataDirectory = makeTestFolder()
let started: Awaited<ReturnType<typeof startOtherDatabase>>
let db: Database

beforeAll(async () => {
  started = await startOtherDatabase({ dataDirectory, secrets: makeSecrets() })
  await prepareDatabase(started.url)
  db = openDatabase(started.url, undefined)
  // Without the triggers and foreign keys that keep such rows out.
  const { rows } = await db.$client.execute(
    `SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('ledger', 'allocations')`,
  )
  await db.$client.migrate([
    ...rows.map(({ name }) => `DROP TRIGGER "${name}"`),
    ...[1, 2, 3, 4, 5].flatMap(addAccount),
  ])
})
afterAll(() => started.stop())

/** An account with 20 credits, of which it has used 5 for a job. */
function addAccount(id: number): string[] {
  const entry = `INSERT INTO ledger (account_id, sequence, entry_type, amount, balance_after, job_id, cause, created_at)`
  return [
    `INSERT INTO accounts (id, public_key, email, email_key, created_at) VALUES (${id}, ${id}, ${id}, ${id}, 1)`,
    `${entry} VALUES (${id}, 1, 'adjust', 20, 20, NULL, 'grant:${id}', 1)`,
    `${entry} VALUES (${id}, 2, 'charge', -5, 15, 'job-${id}', 'charge:${id}', 1)`,
    `INSERT INTO grants (account_id, sequence, kind, amount, "left", granted_at)
      VALUES (${id}, 1, 'adjust', 20, 15, 1)`,
    `INSERT INTO allocations (account_id, sequence, grant_sequence, amount) VALUES (${id}, 2, 1, -5)`,
  ]
}

const run = (...statements: string[]) => db.$client.migrate(statements)

test('each account is checked once, however few are checked at once', async () => {
  expect(await verifyLedgers(db)).toEqual([])
  await run(
    'UPDATE ledger SET sequence = 3 WHERE account_id = 1 AND sequence = 2',
    'UPDATE allocations SET sequence = 3 WHERE account_id = 1',
    'UPDATE ledger SET balance_after = 14 WHERE account_id = 2 AND sequence = 2',
    'UPDATE grants SET "left" = 16 WHERE account_id = 4',
    'UPDATE ledger SET amount = -6, balance_after = 14 WHERE account_id = 5 AND sequence = 2',
  )
  const faults = [
    'account 1: the entries are not numbered without gaps',
    'account 2: entry 2 does not continue the balance',
    'account 4: grant 1 does not match its allocations',
    'account 5: entry 2 does not match its allocations',
  ]
  for (const entries_at_once of [1, 2, 3, 100]) {
    expect((await verifyLedgers(db, entries_at_once)).toSorted()).toEqual(faults)
  }
  await run(`INSERT INTO account_moves (account_id, move_id, target, state, started_at)
    SELECT id, id, 1, 'left', 1 FROM accounts WHERE id <> 4`)
  expect(await verifyLedgers(db)).toEqual([faults[2]])
})
