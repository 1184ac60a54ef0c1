import { describe, expect, test } from 'vitest'
import { eventually } from '../../../test/edge/worker/context.ts'
import { readAllRows, registerFull } from '../../../test/edge/worker/full-account.ts'
import { actAtCheckout, order, sendCallbacks, showOrder } from '../../../test/edge/worker/payments.ts'
import {
  giveCredits,
  ledgerOf,
  makeKey,
  type Person,
  register,
  SUBMISSION,
} from '../../../test/edge/worker/people.ts'
import { doneOutcome, finished, report, started } from '../../../test/edge/worker/reports.ts'
import { listPackage, registerAdministrator } from '../../../test/edge/worker/shop.ts'
import { inDatabase, makeSpreadContext } from '../../../test/edge/worker/spread-context.ts'
import { forgetCredentials } from '../../accounts/authenticate.ts'
import { countPlatform } from '../../statistics/queries.ts'
import { OWNED_TABLES } from '../table-owners.ts'
import { moveAccount } from './move-account.ts'

const context = makeSpreadContext()
const { call, home, other } = context

/** What the cache of credentials does within a few seconds. */
const forgetAtRemoval = (step: string) => (step === 'remove' ? forgetCredentials(home) : undefined)

async function countRows(deps: typeof home, account: number): Promise<number> {
  const results = await deps.db.$client.batch(
    OWNED_TABLES.map(({ name, isOwned }) => ({
      sql: `SELECT count(*) AS total FROM "${name}" WHERE ${isOwned}`,
      args: [account],
    })),
    'read',
  )
  return results.reduce((sum, { rows }) => sum + Number(rows[0]?.total), 0)
}

/** Submits a job, reports its start and end, and reads it. Repeats what is refused while the account moves. */
async function runJob(key: string): Promise<string> {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const submitted = await eventually('the submission', async () => {
    const answer = await call('POST', '/api/v1/jobs/api', { key, body: SUBMISSION, headers })
    return answer.status !== 503 && answer
  })
  expect(submitted.status, submitted.text).toBe(201)
  const { id } = submitted.json
  for (const body of [started(id), finished(id, doneOutcome(id, 1))]) {
    const webhook_id = crypto.randomUUID()
    const answer = await eventually('a report', async () => {
      const each = await report(context, body, { id: webhook_id })
      return each.status !== 503 && each
    })
    expect(answer.status, answer.text).toBe(200)
  }
  const shown = await call('GET', `/api/v1/jobs/${id}`, { key })
  expect([shown.status, shown.json.status], shown.text).toEqual([200, 'done'])
  return id
}

test('an account moves while it submits jobs, and nothing is lost', async () => {
  const person = await register(context)
  await giveCredits(context, person, 1000)
  const { key } = await makeKey(context, person)
  const first = await runJob(key)
  const pack = await listPackage(context)
  const order_id = await order(context, person, { package_id: pack.id })
  let is_moved = false
  const ids: string[] = []
  const load = Array.from({ length: 3 }, async () => {
    while (!is_moved) ids.push(await runJob(key))
    ids.push(await runJob(key))
  })
  // As long as a request takes.
  const options = { keep_ms: 1000, onStep: forgetAtRemoval }
  const { refused_ms } = await moveAccount(home.databases, person.id, 1, options).finally(() => {
    is_moved = true
  })
  await Promise.all(load)
  expect(refused_ms).toBeGreaterThan(0)
  expect(await countRows(home, person.id)).toBe(0)
  const { rows } = await other.db.$client.execute({
    sql: 'SELECT id, status FROM jobs WHERE account_id = ?',
    args: [person.id],
  })
  expect(rows.map(({ id }) => id).toSorted()).toEqual([first, ...ids].toSorted())
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['done']))
  await sendCallbacks(context, await actAtCheckout(order_id, 'pay'))
  expect(await showOrder(context, person, order_id)).toMatchObject({ status: 'paid' })
  await expectSound(person)
  const { rows: left } = await home.db.$client.execute(
    `SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'account_move_%' UNION SELECT 'move' FROM account_moves`,
  )
  expect(left).toEqual([])
})

async function expectSound(person: Person): Promise<void> {
  const { check, entries, balance } = await ledgerOf(context, person)
  expect(check.ok).toBe(true)
  expect(balance).toBe(entries.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0))
}

test.each(['begin', 'copy', 'changes', 'freeze', 'last changes', 'activate', 'leave', 'remove'])(
  'a move that stops at "%s" continues, and the account keeps its credits',
  { tags: ['extended'] },
  async (last) => {
    const person = await register(context)
    await giveCredits(context, person, 100)
    const { key } = await makeKey(context, person)
    await runJob(key)
    const stop = (step: string) => {
      if (step === last) throw new Error('stopped')
    }
    await expect(moveAccount(home.databases, person.id, 1, { keep_ms: 0, onStep: stop })).rejects.toThrow(
      'stopped',
    )
    const read = await call('GET', '/api/v1/auth/me', { token: person.token })
    expect(read.status).toBe(200)
    await moveAccount(home.databases, person.id, 1, { keep_ms: 0, onStep: forgetAtRemoval })
    expect([await countRows(home, person.id), (await countRows(other, person.id)) > 0]).toEqual([0, true])
    await runJob(key)
    await expectSound(person)
    expect(await moveAccount(home.databases, person.id, 1)).toEqual({ refused_ms: 0 })
  },
)

test('an account that moved returns, and gets ids that nobody had', { tags: ['extended'] }, async () => {
  const person = await register(context)
  await giveCredits(context, person, 100)
  const { key } = await makeKey(context, person)
  for (const to of [1, 0, 1]) {
    await moveAccount(home.databases, person.id, to, { keep_ms: 0, onStep: forgetAtRemoval })
    await runJob(key)
    await runJob((await makeKey(context, person)).key)
  }
  await expectSound(person)
  const ids = await Promise.all(
    [home, other].map(async ({ db }) => {
      const { rows } = await db.$client.execute('SELECT id FROM ledger UNION ALL SELECT -id FROM api_keys')
      return rows.map(({ id }) => id)
    }),
  )
  expect(new Set(ids.flat()).size).toBe(ids.flat().length)
})

describe('a move is safe', { tags: ['extended'] }, () => {
  const move = (account: number, to: number, onStep: (step: string) => unknown = forgetAtRemoval) =>
    moveAccount(home.databases, account, to, {
      keep_ms: 0,
      onStep: async (step) => void (await onStep(step)),
    })
  const query = async (deps: typeof home, sql: string, ...args: (string | number)[]) =>
    (await deps.db.$client.execute({ sql, args })).rows

  test('from a former administrator, for whom a row stands in the target', async () => {
    const admin = await registerAdministrator(context)
    const person = await register(inDatabase(context, other))
    const blocked = await call('PATCH', `/api/v1/admin/accounts/${person.id}`, {
      token: admin.token,
      body: { blocked: true },
    })
    expect(blocked.status, blocked.text).toBe(200)
    await query(home, 'UPDATE accounts SET is_admin = 0 WHERE id = ?', admin.id)
    await expect(move(admin.id, 1)).rejects.toThrow('was an administrator')
    expect((await ledgerOf(context, admin)).check.ok).toBe(true)
  })

  test('from a second command for the same account', async () => {
    const person = await register(context)
    await giveCredits(context, person, 1000)
    const interfere = async (step: string) => {
      if (step !== 'activate') return
      await move(person.id, 1, (each) => {
        if (each === 'copy') throw new Error('stopped')
      }).catch(() => undefined)
    }
    await move(person.id, 1, interfere).catch(() => undefined)
    await move(person.id, 1)
    expect(await ledgerOf(context, person)).toMatchObject({ check: { ok: true }, balance: 1020 })
  })

  test('from a sign-up with its address, where the address was retired', async () => {
    const { email, token, password } = await register(context)
    const confirmed = { confirm: email, current_password: password }
    const deleted = await call('DELETE', '/api/v1/auth/me', { token, body: confirmed })
    expect(deleted.status, deleted.text).toBe(200)
    const signUp = () => call('POST', '/api/v1/auth/register', { body: { email, password } })
    expect((await signUp()).status).toBe(201)
    const places = await Promise.all(
      [home, other].map((deps) => query(deps, 'SELECT id FROM accounts WHERE email_key = ?', email)),
    )
    const number = places.findIndex((rows) => rows.length > 0)
    await move(Number(places[number]?.[0]?.id), 1 - number)
    expect((await signUp()).code).toBe('email_already_registered')
  })

  test('from repeated requests: the response of the last database counts', async () => {
    const person = await register(context)
    const { key } = await makeKey(context, person)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const submit = () => call('POST', '/api/v1/jobs/api', { key, body: SUBMISSION, headers })
    await move(person.id, 1, async (step) => {
      if (step === 'last changes') expect((await submit()).status).toBe(503)
      forgetAtRemoval(step)
    })
    const { id } = (await submit()).json
    await move(person.id, 0)
    expect((await submit()).json.id).toBe(id)
    await move(person.id, 1)
  })

  test('and brings every row as it was', async () => {
    const { id } = await registerFull(context)
    const before = await readAllRows(home, id)
    await move(id, 1)
    expect(await readAllRows(other, id)).toEqual(before)
    expect(Object.keys(before).filter((name) => before[name]?.length === 0)).toEqual([])
  })

  test('from rows that are deleted during the copy', async () => {
    const person = await register(context)
    const { key } = await makeKey(context, person)
    const id = await runJob(key)
    const archive = async (step: string) => {
      if (step === 'changes') await query(home, 'DELETE FROM jobs WHERE id = ?', id)
      forgetAtRemoval(step)
    }
    await move(person.id, 1, archive)
    expect(await query(other, 'SELECT job_id FROM job_moves WHERE job_id = ?', id)).toEqual([])
  })

  test('from being counted twice', async () => {
    const person = await register(context)
    const count = async () => {
      const counts = await Promise.all([home, other].map(({ db, clock }) => countPlatform(db, clock.now())))
      return counts.reduce((sum, { accounts }) => sum + accounts, 0)
    }
    const before = await count()
    let after = 0
    await move(person.id, 1, async (step) => {
      if (step === 'remove') after = await count()
    })
    expect(after).toBe(before)
  })

  test('from a copy in which a text differs', async () => {
    const person = await register(context)
    const damage = async (step: string) => {
      if (step === 'last changes')
        await query(other, `UPDATE arriving_${person.id}_accounts SET full_name = 'Somebody else'`)
    }
    await expect(move(person.id, 1, damage)).rejects.toThrow('The copy of accounts differs')
    await move(person.id, 1)
  })

  test('from a failure while writes are refused: the account goes on in the source', async () => {
    const person = await register(context)
    const { key } = await makeKey(context, person)
    const fail = (step: string) => {
      if (step === 'last changes') throw new Error('stopped')
    }
    await expect(move(person.id, 1, fail)).rejects.toThrow('stopped')
    await runJob(key)
    // As after a command that was killed.
    await query(home, `UPDATE account_moves SET state = 'leaving' WHERE account_id = ?`, person.id)
    await move(person.id, 1)
    await runJob(key)
  })
})
