import { describe, expect, test, vi } from 'vitest'
import { found } from '../../test/edge/worker/context.ts'
import { PNG } from '../../test/edge/worker/files.ts'
import { order } from '../../test/edge/worker/payments.ts'
import { register, upload } from '../../test/edge/worker/people.ts'
import { listPackage } from '../../test/edge/worker/shop.ts'
import { makeSpreadContext } from '../../test/edge/worker/spread-context.ts'
import { runScheduled, runTasks } from '../scheduled.ts'
import { addUpUsage, removeOldRows } from '../statistics/aggregate.ts'
import { copyGlobalTables } from './copy-global-tables.ts'
import { createTriggerStatements, dropTriggers } from './move/triggers.ts'
import { reportFrozenAccounts } from './report-frozen.ts'

const asked: number[] = []
const context = makeSpreadContext({
  DATABASE_TASKS: {
    idFromName: (name: string) => name,
    get: () => ({ run: async (n: number) => asked.push(n) }),
  },
})

const { home, other } = context

async function readValue(deps: typeof home, sql: string, ...args: (string | number)[]) {
  return Object.values(found((await deps.db.$client.execute({ sql, args })).rows[0]))[0]
}

/** The grants of a mailbox that a task forgets. */
const RETIRED_MAILBOX = `INSERT INTO mailbox_grants (mailbox_hash, welcome_used, retired_at) VALUES ('expired', 0, 1)`

test('the tasks of each database run in an invocation of their own', async () => {
  const count = () => readValue(other, `SELECT count(*) FROM mailbox_grants WHERE mailbox_hash = 'expired'`)
  await other.db.$client.execute(RETIRED_MAILBOX)
  await runScheduled(home)
  expect([asked, await count()]).toEqual([[1], 1])
  await runTasks(other)
  expect(await count()).toBe(0)
})

test('a copy of the catalog that was read earlier does not put an old price back', async () => {
  const pack = await listPackage(context)
  const price = () => readValue(other, 'SELECT price_cents FROM packages WHERE id = ?', pack.id)
  const setPrice = (cents: number) =>
    home.db.$client.execute({
      sql: 'UPDATE packages SET price_cents = ? WHERE id = ?',
      args: [cents, pack.id],
    })
  const [homeClient, otherClient] = [home.db.$client, other.db.$client]
  const old = Number(await readValue(home, 'SELECT price_cents FROM packages WHERE id = ?', pack.id)) + 1
  await setPrice(old)
  let is_late = true
  const late = {
    async batch(...args: Parameters<typeof homeClient.batch>) {
      const answer = await homeClient.batch(...args)
      if (is_late) {
        is_late = false
        await setPrice(old + 1)
        await copyGlobalTables(homeClient, otherClient)
      }
      return answer
    },
  }
  const prices: unknown[] = []
  const watched = {
    async batch(...args: Parameters<typeof otherClient.batch>) {
      const answer = await otherClient.batch(...args)
      if (args[1] === 'write') prices.push(await price())
      return answer
    },
  }
  await copyGlobalTables(late, watched)
  expect([...prices, await price()]).not.toContain(old)
  await setPrice(old - 1)
  await copyGlobalTables(homeClient, otherClient)
})

/** An account of the home with something of several kinds that tasks change. */
async function registerDue(): Promise<number> {
  const person = await register(context)
  await upload(context, person, PNG)
  await order(context, person, { package_id: (await listPackage(context)).id })
  const statements = [
    'UPDATE uploads SET expires_at = 1, put_expires_at = 1 WHERE account_id = ?1',
    'UPDATE orders SET next_poll_at = 1 WHERE account_id = ?1',
    'UPDATE sessions SET expires_at = 1 WHERE account_id = ?1',
    `INSERT INTO password_resets (request_id, account_id, token_hash, expires_at) VALUES ('due ' || ?1, ?1, 'due ' || ?1, 1)`,
  ]
  await home.db.$client.batch(
    statements.map((sql) => ({ sql, args: [person.id] })),
    'write',
  )
  return person.id
}

const DUE = `SELECT (SELECT count(*) FROM uploads WHERE account_id = ?1)
  + (SELECT count(*) FROM orders WHERE account_id = ?1 AND next_poll_at = 1)
  + (SELECT count(*) FROM sessions WHERE account_id = ?1)
  + (SELECT count(*) FROM password_resets WHERE account_id = ?1)`

test('a frozen account delays no task of others, and is reported after ten minutes', async () => {
  const [frozen, usual] = [await registerDue(), await registerDue()]
  await home.db.$client.batch(
    [
      ...createTriggerStatements(),
      {
        sql: `INSERT INTO account_moves (account_id, move_id, target, state, started_at) VALUES (?, 'stopped', 1, 'leaving', ?)`,
        args: [frozen, home.clock.now() - 11 * 60_000],
      },
    ],
    'write',
  )
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await runTasks(home)
  const text = JSON.stringify(logged.mock.calls)
  logged.mockRestore()
  await home.db.$client.execute('DELETE FROM account_moves')
  await dropTriggers(home.db.$client)
  expect([await readValue(home, DUE, frozen), await readValue(home, DUE, usual)]).toEqual([4, 0])
  expect(text).toContain(`account ${frozen} stopped moving`)
})

test('an account whose copy was interrupted is reported after a day', async () => {
  const hours_ago = (hours: number) => home.clock.now() - hours * 3_600_000
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await home.db.$client.execute({
    sql: `INSERT INTO account_moves (account_id, move_id, target, state, started_at)
      VALUES (7001, 'interrupted', 1, 'copying', ?), (7002, 'running', 1, 'copying', ?)`,
    args: [hours_ago(25), hours_ago(1)],
  })
  await reportFrozenAccounts(home)
  const text = JSON.stringify(logged.mock.calls)
  logged.mockRestore()
  await home.db.$client.execute('DELETE FROM account_moves')
  expect([text.includes('account 7001 stopped'), text.includes('account 7002')]).toEqual([true, false])
})

describe('old rows are deleted', () => {
  /** Inserts a row above all others. */
  const insert = async (created_at: number) => {
    const { rows } = await other.db.$client.execute({
      sql: `INSERT INTO usage_events (id, source, action, credits, created_at)
        SELECT max(?, coalesce(max(id), 0) + 1), 'api', 'submit', 0, ? FROM usage_events RETURNING id`,
      args: [100_000_000_000, created_at],
    })
    return Number(rows[0]?.id)
  }
  const count = (id: number) => readValue(other, `SELECT count(*) FROM usage_events WHERE id = ${id}`)

  test('although rows with lower ids arrived with an account', async () => {
    const arrived = await insert(Date.now())
    const old = await insert(1)
    await addUpUsage(other)
    await removeOldRows(other)
    expect([await count(arrived), await count(old)]).toEqual([1, 0])
    await other.db.$client.execute(`DELETE FROM usage_events WHERE id = ${arrived}`)
  })

  test('although the only database has ids of a later block', async () => {
    const old = await insert(1)
    await addUpUsage(other)
    await removeOldRows({ ...other, databases: [other.db] })
    expect(await count(old)).toBe(0)
  })
})
