import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../shared/protocol/job-report.ts'
import { depsAt, makeTestContext } from '../../test/edge/worker/context.ts'
import { giveCredits, ledgerOf, type Person, register, SUBMISSION } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED } from '../../test/edge/worker/reports.ts'
import { findAccountByEmail, toCallerAccount } from '../accounts/queries.ts'
import type { Deps } from '../deps.ts'
import { acceptReport } from '../jobs/accept-report.ts'
import { submitJob } from '../jobs/submit.ts'
import { showBalance } from './balance.ts'
import { changeCredits, settleAccount } from './change-credits.ts'
import { loadCredits } from './queries.ts'
import { andThen, type Credits, charge, grant, unchanged } from './rules/ledger.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** Creates an account and services with a clock that the test controls. */
async function startAt() {
  const testContext = makeTestContext()
  const person = await register(testContext)
  const clock = { time: Date.now(), now: () => clock.time }
  const deps = depsAt(testContext, clock)
  return { testContext, person, clock, deps }
}

async function callerOf(deps: Deps, { email, token }: Person) {
  const row = await findAccountByEmail(deps.db, email)
  if (row === undefined) throw new Error('the account is gone')
  return {
    kind: 'session' as const,
    session_id: String(decodeJwt(token).jti),
    epoch: 1,
    signed_in_at: 0,
    account: toCallerAccount(row),
  }
}

async function submitAt(deps: Deps, person: Person): Promise<string> {
  return (await submitJob(deps, await callerOf(deps, person), SUBMISSION)).id
}

function finishAt(deps: Deps, job_id: string, outcome: Outcome) {
  const at = new Date(deps.clock.now()).toISOString()
  const body = { type: 'job.finished' as const, job_id, fence: 1001, at, started_at: at, outcome }
  return acceptReport(deps, { id: crypto.randomUUID(), digest: 'x', body })
}

/**
 * Reads entry types and amounts from the database, oldest first. Reading through the API would settle the credits.
 */
async function entriesOf({ db }: Deps, { id }: Person) {
  const sql = 'SELECT entry_type, amount FROM ledger WHERE account_id = ? ORDER BY sequence'
  const { rows } = await db.$client.execute({ sql, args: [id] })
  return rows.map(({ entry_type, amount }) => [entry_type, amount])
}

describe('the daily allowance', () => {
  test('expires and lands again, once, under 20 concurrent reads', async () => {
    const { person, clock, deps, testContext } = await startAt()
    clock.time += DAY_MS + 1000
    const others = Array.from({ length: 5 }, () => depsAt(testContext, clock))
    const read = [deps, deps, deps, ...others.flatMap((other) => [other, other, other])]
    const seen = await Promise.all([...read, deps, deps].map((each) => settleAccount(each, person.id)))
    expect(seen).toHaveLength(20)
    expect(seen.map(({ balance }) => balance)).toEqual(Array(20).fill(20))
    expect(await entriesOf(deps, person)).toEqual([
      ['daily_free', 20],
      ['expire', -20],
      ['daily_free', 20],
    ])
  })

  test('is not due early and does not accumulate over days', async () => {
    const { person, clock, deps } = await startAt()
    clock.time += DAY_MS - 60_000
    await settleAccount(deps, person.id)
    expect(await entriesOf(deps, person)).toHaveLength(1)
    clock.time += 10 * DAY_MS
    expect((await settleAccount(deps, person.id)).balance).toBe(20)
    expect(await entriesOf(deps, person)).toHaveLength(3)
  })

  test('expires with its remainder and leaves the pack alone', async () => {
    const { person, clock, deps, testContext } = await startAt()
    await giveCredits(testContext, person, 7)
    await submitAt(deps, person)
    clock.time += DAY_MS + 1000
    const balance = await showBalance(deps, await callerOf(deps, person))
    const expires_at = new Date(clock.time + DAY_MS).toISOString()
    expect(balance).toEqual({
      balance: 27,
      expiring: 20,
      expires_at,
      grants: [
        { entry_type: 'daily_free', credits: 20, expires_at },
        { entry_type: 'purchase', credits: 7, expires_at: null },
      ],
      next_allowance: { credits: 20, lands_at: expires_at },
    })
    expect(await entriesOf(deps, person)).toEqual([
      ['daily_free', 20],
      ['purchase', 7],
      ['debit', -2],
      ['expire', -18],
      ['daily_free', 20],
    ])
  })

  test('lands before a job is checked for credits, so an empty account can work the next day', async () => {
    const { person, clock, deps } = await startAt()
    for (let count = 0; count < 10; count++) await submitAt(deps, person)
    await expect(submitAt(deps, person)).rejects.toThrow('not enough credits')
    clock.time += DAY_MS + 1000
    await submitAt(deps, person)
    expect((await settleAccount(deps, person.id)).balance).toBe(18)
  })
})

test('a charge spends the soonest-expiring grants first, even when an allowance lands before they are all loaded', async () => {
  const { person, clock, deps } = await startAt()
  const load = async (grants_max: number) => ({ loaded: await loadCredits(deps.db, person.id, grants_max) })
  const give = (credits: Credits, amount: number, expires_at: number) =>
    grant(credits, { kind: 'adjust', amount, expires_at, cause: crypto.randomUUID() })
  const due = clock.time + DAY_MS + 1000
  await changeCredits(deps, person.id, {
    load,
    decide: (_facts, settled) => {
      const singles = Array.from({ length: 16 }, () => 1)
      const change = [...singles, 10].reduce(
        (soFar, amount) => andThen(soFar, (left) => give(left, amount, due + (amount + 1) * HOUR_MS)),
        unchanged(settled),
      )
      return { change, answer: null }
    },
  })
  clock.time = due
  await changeCredits(deps, person.id, {
    load,
    spendsMax: () => 18,
    decide: (_facts, settled) => {
      const change = charge(settled, 18, { cause: crypto.randomUUID() })
      if (change === null) throw new Error('there is not enough')
      return { change, answer: null }
    },
  })
  const { grants } = await settleAccount(deps, person.id)
  expect(grants.map(({ kind, left }) => [kind, left])).toEqual([
    ['adjust', 8],
    ['daily_free', 20],
  ])
})

describe('a job that ends after its credits expired', () => {
  test('is refunded in full for a day, and does not delay the next allowance', async () => {
    const { person, clock, deps, testContext } = await startAt()
    const landed = clock.time
    const id = await submitAt(deps, person)
    clock.time = landed + DAY_MS + HOUR_MS
    expect((await settleAccount(deps, person.id)).balance).toBe(20)
    clock.time = landed + DAY_MS + 7 * HOUR_MS
    await finishAt(deps, id, FAILED)
    expect((await settleAccount(deps, person.id)).balance).toBe(22)
    clock.time = landed + 2 * DAY_MS + 2 * HOUR_MS
    expect((await settleAccount(deps, person.id)).balance).toBe(22)
    expect((await entriesOf(deps, person)).slice(-3)).toEqual([
      ['refund', 2],
      ['expire', -20],
      ['daily_free', 20],
    ])
    clock.time = landed + 2 * DAY_MS + 8 * HOUR_MS
    expect((await settleAccount(deps, person.id)).balance).toBe(20)
    expect((await ledgerOf(testContext, person)).check.ok).toBe(true)
  })

  test('is refunded by a clock that is behind the expiry, and the account stays usable', async () => {
    const { person, clock, deps, testContext } = await startAt()
    const id = await submitAt(deps, person)
    const expires_at = (await settleAccount(deps, person.id)).grants[0]?.expires_at ?? 0
    clock.time = expires_at
    expect((await settleAccount(deps, person.id)).balance).toBe(20)
    await finishAt(depsAt(testContext, { now: () => expires_at - 1 }), id, FAILED)
    clock.time = expires_at + 1
    expect((await settleAccount(deps, person.id)).balance).toBe(20)
    expect((await ledgerOf(testContext, person)).check.ok).toBe(true)
  })

  test('is charged for its time from the new credits', async () => {
    const { person, clock, deps } = await startAt()
    const id = await submitAt(deps, person)
    clock.time += DAY_MS + HOUR_MS
    await finishAt(deps, id, doneOutcome(id, 61))
    expect(await entriesOf(deps, person)).toEqual([
      ['daily_free', 20],
      ['debit', -2],
      ['expire', -18],
      ['daily_free', 20],
      ['debit', -1],
    ])
  })
})
