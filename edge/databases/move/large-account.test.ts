/** @module-tag extended */

import { describe, expect, test } from 'vitest'
import { readAllRows, registerFull } from '../../../test/edge/worker/full-account.ts'
import { type Batch, makeMoveCommands, replaceMethods } from '../../../test/edge/worker/move-commands.ts'
import { giveCredits, ledgerOf, register, submit } from '../../../test/edge/worker/people.ts'
import { doneOutcome, finished, report, started } from '../../../test/edge/worker/reports.ts'
import { inDatabase, makeSpreadContext } from '../../../test/edge/worker/spread-context.ts'
import { forgetCredentials } from '../../accounts/authenticate.ts'
import { BLOCK_IDS } from '../../platform/database/ids.ts'
import { addUpUsage } from '../../statistics/aggregate.ts'
import { beginBlockStatements, takeBlock } from '../id-blocks.ts'
import { OWNED_TABLES } from '../table-owners.ts'
import { moveAccount } from './move-account.ts'
import { quote } from './staging.ts'

const context = makeSpreadContext()
const { home, other } = context
const commands = makeMoveCommands(context)
const { move, query, registerWithCredits, submitAs, forgetAtRemoval } = commands

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
