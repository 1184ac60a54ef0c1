/** @module-tag extended */

import { expect, test } from 'vitest'
import { type Batch, makeMoveCommands, replaceMethods } from '../../../test/edge/worker/move-commands.ts'
import { giveCredits, ledgerOf, type Person } from '../../../test/edge/worker/people.ts'
import { deleteProductNews, inDatabase, makeSpreadContext } from '../../../test/edge/worker/spread-context.ts'
import { forgetCredentials } from '../../accounts/authenticate.ts'
import type { Database } from '../../platform/database/client.ts'
import { cancelMove } from './cancel-move.ts'

const context = makeSpreadContext()
const { home, other } = context
const commands = makeMoveCommands(context)
const { move, query, registerWithCredits, stopAt, submitAs, forgetAtRemoval, loseActivation } = commands

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
  const databases: typeof home.databases = [replaceMethods(home.db, { batch }), other.db]
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

test('a subscriber who would miss product news, or get it twice, does not move', async () => {
  await deleteProductNews(context)
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
