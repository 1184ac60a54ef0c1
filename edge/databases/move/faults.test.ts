/** @module-tag extended */

import { describe, expect, test } from 'vitest'
import { readAllRows, registerFull } from '../../../test/edge/worker/full-account.ts'
import {
  giveCredits,
  ledgerOf,
  type Person,
  register,
  SUBMISSION,
  submit,
} from '../../../test/edge/worker/people.ts'
import { doneOutcome, finished, report, started } from '../../../test/edge/worker/reports.ts'
import { inDatabase, makeSpreadContext } from '../../../test/edge/worker/spread-context.ts'
import { forgetCredentials } from '../../accounts/authenticate.ts'
import type { Database } from '../../platform/database/client.ts'
import { BLOCK_IDS } from '../../platform/database/ids.ts'
import { addUpUsage } from '../../statistics/aggregate.ts'
import { beginBlockStatements, takeBlock } from '../id-blocks.ts'
import { OWNED_TABLES } from '../table-owners.ts'
import { cancelMove } from './cancel-move.ts'
import { moveAccount } from './move-account.ts'
import { quote } from './staging.ts'

const context = makeSpreadContext()
const { call, home, other } = context
type Databases = typeof home.databases
type Batch = Database['$client']['batch']

/** What the cache of credentials does within a few seconds. */
const forgetAtRemoval = (step: string) => (step === 'remove' ? forgetCredentials(home) : undefined)

const move = (
  account: number,
  to: number,
  onStep: (step: string) => unknown = forgetAtRemoval,
  databases: Databases = home.databases,
) => moveAccount(databases, account, to, { keep_ms: 0, onStep: async (step) => void (await onStep(step)) })

/** Ends a command at a step. */
const stopAt = (last: string) => (step: string) => {
  if (step === last) throw new Error('stopped')
}

const query = async ({ db }: { db: Database }, sql: string, ...args: (string | number)[]) =>
  (await db.$client.execute({ sql, args })).rows

/** Returns a database whose client has other methods. */
function replaceMethods(db: Database, methods: Partial<Database['$client']>): Database {
  const client = new Proxy(db.$client, {
    get: (target, name) => Reflect.get(name in methods ? methods : target, name),
  })
  return new Proxy(db, { get: (target, name) => (name === '$client' ? client : Reflect.get(target, name)) })
}

/** The databases of a command whose connection fails at the commit that activates the copy. */
function loseActivation(lose: (commit: () => ReturnType<Batch>) => Promise<unknown>): Databases {
  const batch: Batch = async (statements, mode) => {
    const commit = () => other.db.$client.batch(statements, mode)
    if (!JSON.stringify(statements).includes('INSERT INTO account_arrivals')) return commit()
    await lose(commit)
    throw new Error('no response')
  }
  return [home.db, replaceMethods(other.db, { batch })]
}

async function registerWithCredits(): Promise<Person> {
  const person = await register(context)
  await giveCredits(context, person, 100)
  return person
}

const submitAs = async (person: Person) =>
  (await call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION })).status

test('an account whose copy became active without a response leaves the source', async () => {
  const person = await registerWithCredits()
  const databases = loseActivation(async (commit) => {
    await commit()
    // As by a payment event that found the account in the target.
    await giveCredits(inDatabase(context, other), person, 7)
    expect(await submitAs(person)).toBe(503)
  })
  await move(person.id, 1, forgetAtRemoval, databases)
  expect(await query(home, 'SELECT 1 FROM accounts WHERE id = ?', person.id)).toEqual([])
  expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true }, balance: 127 })
  expect(await submitAs(person)).toBe(201)
})

test('a command that cannot complete the move of an account says that it has to be run again', async () => {
  const person = await registerWithCredits()
  const batch: Batch = async (statements, mode) => {
    if (JSON.stringify(statements).includes('INTO account_departures')) throw new Error('no response')
    return home.db.$client.batch(statements, mode)
  }
  const databases: Databases = [replaceMethods(home.db, { batch }), other.db]
  await expect(move(person.id, 1, undefined, databases)).rejects.toThrow('no response Run the command again')
  expect(await submitAs(person)).toBe(503)
  await move(person.id, 1)
  expect(await submitAs(person)).toBe(201)
})

test('an account that is back keeps its place after a command that was suspended', async () => {
  const person = await registerWithCredits()
  const returnMeanwhile = async (step: string) => {
    if (step !== 'leave') return
    await move(person.id, 1)
    await move(person.id, 0)
  }
  await expect(move(person.id, 1, returnMeanwhile)).rejects.toThrow('is not in database 1 any more')
  forgetCredentials(home)
  expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true }, balance: 120 })
  expect(await submitAs(person)).toBe(201)
})

test('a command that was suspended cancels no later move', async () => {
  const person = await registerWithCredits()
  await expect(move(person.id, 1, stopAt('leave'))).rejects.toThrow('stopped')
  const execute = (async (statement: { sql: string }) => {
    const found = await home.db.$client.execute(statement)
    if (!statement.sql.startsWith('SELECT move_id, target')) return found
    await move(person.id, 1)
    await move(person.id, 0)
    await expect(move(person.id, 1, stopAt('leave'))).rejects.toThrow('stopped')
    return found
  }) as Database['$client']['execute']
  const canceling = cancelMove([replaceMethods(home.db, { execute }), other.db], person.id)
  await expect(canceling).rejects.toThrow('CHECK constraint failed')
  await move(person.id, 1)
  expect(await query(home, 'SELECT 1 FROM accounts WHERE id = ?', person.id)).toEqual([])
  expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true }, balance: 120 })
})

test('a command whose copy an earlier one removes late lets the account go on in the source', async () => {
  const person = await registerWithCredits()
  const [isFrozen, isRemoved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const waitFrozen = async (step: string) => {
    if (step !== 'activate') return
    isFrozen.resolve()
    await isRemoved.promise
  }
  let later: Promise<unknown> | undefined
  const batch: Batch = async (statements, mode) => {
    // The earlier command took the source before.
    later ??= move(person.id, 1, waitFrozen).catch((error: unknown) => error)
    await isFrozen.promise
    return other.db.$client.batch(statements, mode)
  }
  const earlier = move(person.id, 1, undefined, [home.db, replaceMethods(other.db, { batch })])
  await expect(earlier).rejects.toThrow('CHECK constraint failed')
  isRemoved.resolve()
  expect(String(await later)).toMatch(/no such table: \w+$/)
  expect(await submitAs(person)).toBe(201)
})

test('a commit that arrives after the command has given up activates nothing', async () => {
  const person = await registerWithCredits()
  const late: (() => ReturnType<Batch>)[] = []
  const databases = loseActivation(async (commit) => late.push(commit))
  await expect(move(person.id, 1, undefined, databases)).rejects.toThrow('no response')
  expect(await submitAs(person)).toBe(201)
  await expect(late[0]?.()).rejects.toThrow('no such table')
  expect(await query(other, 'SELECT 1 FROM accounts WHERE id = ?', person.id)).toEqual([])
  await move(person.id, 1)
  expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true } })
})

test('an account that goes on in the source does not leave it', async () => {
  const person = await registerWithCredits()
  const unfreeze = (step: string) =>
    step === 'leave' &&
    query(home, `UPDATE account_moves SET state = 'copying' WHERE account_id = ?`, person.id)
  await expect(move(person.id, 1, unfreeze)).rejects.toThrow('CHECK constraint failed')
  expect(await query(home, 'SELECT email FROM accounts WHERE id = ?', person.id)).toEqual([
    { email: person.email },
  ])
  await query(home, `UPDATE account_moves SET state = 'leaving' WHERE account_id = ?`, person.id)
  await move(person.id, 1)
})

const isMoving = async ({ id }: Person) =>
  (await query(home, 'SELECT 1 FROM account_moves WHERE account_id = ?', id)).length > 0

test('a move that begins while another ends records every change', async () => {
  const [first, second] = [await registerWithCredits(), await registerWithCredits()]
  let moving: Promise<unknown> = Promise.resolve()
  const begin = async () => {
    moving = move(second.id, 1, async (step) => {
      if (step === 'changes') await giveCredits(context, second, 7)
      await forgetAtRemoval(step)
    })
    moving.catch(() => undefined)
    // Enough time to begin, unless the end of the other move locks the database.
    for (let count = 0; count < 30 && !(await isMoving(second)); count++);
  }
  /** Begins the second move as soon as the first has seen that no account moves. */
  const execute = (async (statement: string) => {
    const found = await home.db.$client.execute(statement)
    if (String(statement).includes('NOT EXISTS (SELECT 1 FROM account_moves)')) await begin()
    return found
  }) as Database['$client']['execute']
  await move(first.id, 1, forgetAtRemoval, [replaceMethods(home.db, { execute }), other.db])
  await moving
  expect(await isMoving(second)).toBe(false)
  expect(await ledgerOf(context, second)).toMatchObject({ check: { ok: true }, balance: 127 })
})

test('a move does not continue after a migration that removed its triggers', async () => {
  const person = await registerWithCredits()
  const rebuild = async (step: string) => {
    if (step !== 'changes') return
    await query(home, 'DROP TRIGGER account_move_record_ledger_insert_2')
    await giveCredits(context, person, 7)
  }
  await expect(move(person.id, 1, rebuild)).rejects.toThrow('CHECK constraint failed')
  expect(await submitAs(person)).toBe(201)
  await move(person.id, 1)
  expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true } })
  expect(await submitAs(person)).toBe(201)
})

test('an account that is back is not removed by a command that was suspended', async () => {
  const person = await registerWithCredits()
  const returnMeanwhile = async (step: string) => {
    if (step !== 'remove') return
    await move(person.id, 1)
    await move(person.id, 0)
  }
  await expect(move(person.id, 1, returnMeanwhile)).rejects.toThrow('CHECK constraint failed')
  expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true }, balance: 120 })
  expect(await submitAs(person)).toBe(201)
})

describe('an account with many rows', () => {
  const large = (account: number, to: number, onStep: (step: string) => unknown = forgetAtRemoval) =>
    moveAccount(home.databases, account, to, {
      keep_ms: 0,
      rows_in_one_commit: 1,
      onStep: async (step) => void (await onStep(step)),
    })
  const readRows = async (deps: typeof home, account: number) => {
    const tables = OWNED_TABLES.filter(({ name }) => name !== 'webhook_attempts')
    const results = await deps.db.$client.batch(
      tables.map(({ name, columns, key, isOwned }) => ({
        sql: `SELECT ${quote(columns)} FROM "${name}" WHERE ${isOwned} ORDER BY ${quote(key)}`,
        args: [account],
      })),
      'read',
    )
    return results.map(({ rows }, index) => [tables[index]?.name, rows.map((row) => Object.values(row))])
  }
  const fill = async () => {
    const person = await registerWithCredits()
    const jobs = [await submit(context, person), await submit(context, person)]
    await report(context, started(jobs[0] ?? ''))
    await report(context, finished(jobs[0] ?? '', doneOutcome(jobs[0] ?? '', 1)))
    await context.settled()
    return { person, open: jobs[1] ?? '' }
  }

  test('arrives in parts, and nothing in the target is used before all of it is there', async () => {
    const { person, open } = await fill()
    const before: unknown[] = []
    await large(person.id, 1, async (step) => {
      if (step === 'remove') forgetCredentials(home)
      if (step !== 'activate') return
      before.push(...(await readRows(home, person.id)))
      expect(await query(other, 'SELECT email FROM accounts WHERE id = ?', person.id)).toEqual([
        { email: `left:${person.id}` },
      ])
      expect(await query(other, 'SELECT status FROM jobs WHERE account_id = ?', person.id)).toEqual([
        { status: 'done' },
      ])
      const change = query(other, 'UPDATE jobs SET progress = 1 WHERE account_id = ?', person.id)
      await expect(change).rejects.toThrow('is moving')
      expect(await submitAs(person)).toBe(503)
    })
    expect(await readRows(other, person.id)).toEqual(before)
    await report(context, started(open))
    await report(context, finished(open, doneOutcome(open, 1)))
    expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true } })
    const left = `SELECT name FROM sqlite_master WHERE name GLOB 'account_move_*' OR name GLOB 'arriving_*'
      UNION SELECT 'move' FROM account_moves`
    expect([await query(home, left), await query(other, left)]).toEqual([[], []])
    await large(person.id, 0)
    expect(await submitAs(person)).toBe(201)
  })

  test('brings what changed after it had arrived', async () => {
    const full = await registerFull(context)
    const [changed, archived] = await query(
      home,
      `SELECT id FROM jobs WHERE account_id = ? AND status = 'done'`,
      full.id,
    )
    const change = async () => {
      const arrived = await query(other, 'SELECT id FROM jobs WHERE account_id = ?', full.id)
      expect(arrived).toEqual(expect.arrayContaining([changed, archived]))
      for (const [sql, id] of [
        [`UPDATE jobs SET metadata = '{"a":1}', result = NULL WHERE id = ?`, changed?.id],
        ['DELETE FROM job_moves WHERE job_id = ? AND number = 1', changed?.id],
        ['DELETE FROM jobs WHERE id = ?', archived?.id],
        [
          'DELETE FROM usage_events WHERE id = (SELECT min(id) FROM usage_events WHERE account_id = ?)',
          full.id,
        ],
        [`UPDATE webhook_deliveries SET status = 'pending' WHERE id = 'delivered ' || ?`, String(full.id)],
        [`DELETE FROM webhook_attempts WHERE delivery_id = 'delivered ' || ?`, String(full.id)],
      ] as const)
        await query(home, sql, id as string | number)
      await giveCredits(context, full, 7)
    }
    let before: unknown
    await large(full.id, 1, async (step) => {
      if (step === 'freeze') await change()
      if (step === 'activate') before = await readAllRows(home, full.id)
      await forgetAtRemoval(step)
    })
    expect(await readAllRows(other, full.id)).toEqual(before)
    expect(await ledgerOf(context, full)).toMatchObject({ check: { ok: true } })
  })

  test('does not bring ids of a block that the source begins while it arrives', async () => {
    const { person } = await fill()
    await addUpUsage(home)
    const neighbor = await register(inDatabase(context, other))
    let first_id = 0
    const batch: Batch = async (statements, mode) => {
      const results = await other.db.$client.batch(statements, mode)
      if (!JSON.stringify(statements).includes("'left:' || id, 'left:' || id")) return results
      const block = await takeBlock([home.db.$client, other.db.$client], 0)
      first_id = block * BLOCK_IDS
      await home.db.$client.batch(beginBlockStatements(block, 0), 'write')
      await giveCredits(context, person, 7)
      return results
    }
    const highest = async () => Number((await query(other, 'SELECT max(id) AS id FROM ledger'))[0]?.id)
    let before: unknown
    await moveAccount([home.db, replaceMethods(other.db, { batch })], person.id, 1, {
      keep_ms: 0,
      rows_in_one_commit: 1,
      onStep: async (step) => {
        if (step === 'freeze') {
          await giveCredits(inDatabase(context, other), neighbor, 7)
          expect([first_id > 0, (await highest()) < first_id]).toEqual([true, true])
        }
        if (step === 'activate') before = await readRows(home, person.id)
        await forgetAtRemoval(step)
      },
    })
    expect(await readRows(other, person.id)).toEqual(before)
    await giveCredits(inDatabase(context, other), neighbor, 7)
    expect(await highest()).toBeGreaterThan(first_id + BLOCK_IDS)
  })

  test('does not begin to refuse writes if it would for longer than allowed', async () => {
    const { person } = await fill()
    const steps: string[] = []
    const moving = moveAccount(home.databases, person.id, 1, {
      keep_ms: 0,
      rows_in_one_commit: 1,
      refused_ms_max: 0,
      onStep: (step) => void steps.push(step),
    })
    await expect(moving).rejects.toThrow('longer than the limit of 0 s')
    expect(steps).not.toContain('freeze')
    expect(await submitAs(person)).toBe(201)
    expect(await query(other, 'SELECT 1 FROM accounts WHERE id = ?', person.id)).toEqual([])
  })

  test('goes on in the source if it cannot become active, and moves later', async () => {
    const { person } = await fill()
    const fail = (step: string) => {
      if (step === 'activate') throw new Error('stopped')
    }
    await expect(large(person.id, 1, fail)).rejects.toThrow('stopped')
    expect(await query(other, 'SELECT 1 FROM accounts WHERE id = ?', person.id)).toEqual([])
    expect(await submitAs(person)).toBe(201)
    await large(person.id, 1)
    expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true } })
  })

  test('is not removed after another command made it known', async () => {
    const { person } = await fill()
    const released = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const first = large(person.id, 1, (step) => {
      if (step !== 'activate') return
      arrived.resolve()
      return released.promise
    }).catch(() => undefined)
    await arrived.promise
    const batch: Batch = async (statements, mode) => {
      if (JSON.stringify(statements).includes('DELETE FROM')) {
        released.resolve()
        await first
      }
      return other.db.$client.batch(statements, mode)
    }
    await move(person.id, 1, forgetAtRemoval, [home.db, replaceMethods(other.db, { batch })]).catch(
      () => undefined,
    )
    await large(person.id, 1)
    expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true } })
    expect(await submitAs(person)).toBe(201)
  })

  test('moves after a command that was killed while it arrived', async () => {
    const { person } = await fill()
    const killed = new Promise<never>(() => undefined)
    const arrived = Promise.withResolvers<void>()
    void large(person.id, 1, (step) => {
      if (step !== 'activate') return
      arrived.resolve()
      return killed
    })
    await arrived.promise
    expect(await submitAs(person)).toBe(503)
    await large(person.id, 1)
    expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true } })
    expect(await submitAs(person)).toBe(201)
  })
})

test('a subscriber who would miss product news, or get it twice, does not move', async () => {
  const [subscriber, person] = [await registerWithCredits(), await registerWithCredits()]
  const id = crypto.randomUUID()
  const news = `INSERT INTO product_news (id, messages, created_at, last_account_id) VALUES (?, '{}', ?, ?)`
  await query(
    home,
    `INSERT INTO email_preferences (account_id, product_news, unsubscribe_token, notified_at) VALUES (?, 1, ?, 1)`,
    subscriber.id,
    id,
  )
  await query(home, news, id, Date.now(), 0)
  await query(other, news, id, Date.now(), subscriber.id)
  try {
    await expect(move(subscriber.id, 1)).rejects.toThrow('Product news is being sent')
    await move(person.id, 1)
    await query(home, 'UPDATE product_news SET finished_at = 1 WHERE id = ?', id)
    await move(subscriber.id, 1)
  } finally {
    for (const deps of [home, other]) await query(deps, 'DELETE FROM product_news WHERE id = ?', id)
  }
})
