import { describe, expect, test } from 'vitest'
import { makeTestContext, timeOf } from '../../test/edge/worker/context.ts'
import { giveCredits, ledgerOf, register, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const DAY_MS = 24 * 60 * 60 * 1000

describe('the balance', () => {
  test('shows what expires next', async () => {
    const person = await register(testContext)
    await giveCredits(testContext, person, 100)
    await giveCredits(testContext, person, 50, { kind: 'signup_bonus', expires_at: Date.now() + 90 * DAY_MS })
    const { json } = await call('GET', '/api/v1/billing/balance', { token: person.token })
    expect(json).toMatchObject({
      balance: 170,
      expiring: 20,
      grants: [
        { entry_type: 'daily_free', credits: 20, expires_at: json.expires_at },
        { entry_type: 'signup_bonus', credits: 50 },
        { entry_type: 'purchase', credits: 100, expires_at: null },
      ],
      next_allowance: { credits: 20, lands_at: json.expires_at },
    })
    expect(Math.abs(timeOf(json.expires_at) - Date.now() - DAY_MS)).toBeLessThan(60_000)
  })
})

describe('a charge', () => {
  test('spends the soonest-expiring grants first, and the ledger shows the allocation', async () => {
    const person = await register(testContext)
    await giveCredits(testContext, person, 5, { kind: 'purchase' })
    await giveCredits(testContext, person, 1, { kind: 'subscription', expires_at: Date.now() + 3_600_000 })
    const id = await submit(testContext, person)
    await report(testContext, finished(id, doneOutcome(id, 20 * 60)))
    const { entries, check } = await ledgerOf(testContext, person)
    expect(
      entries
        .slice(0, 2)
        .map((entry: { amount: number; taken_from: object[] }) => [entry.amount, entry.taken_from]),
    ).toEqual([
      [-19, [{ grant: 1, entry_type: 'daily_free', amount: -19 }]],
      [
        -2,
        [
          { grant: 1, entry_type: 'daily_free', amount: -1 },
          { grant: 3, entry_type: 'subscription', amount: -1 },
        ],
      ],
    ])
    expect(check).toMatchObject({ ok: true, balance: 5 })
  })
})

describe('the ledger', () => {
  test('is listed newest first, by page and by type', async () => {
    const person = await register(testContext)
    for (let count = 0; count < 4; count++) await submit(testContext, person)
    const amounts = async (query: string) =>
      (await call('GET', `/api/v1/billing/ledger?${query}`, { token: person.token })).json.map(
        ({ balance_after }: { balance_after: number }) => balance_after,
      )
    expect(await amounts('')).toEqual([12, 14, 16, 18, 20])
    expect(await amounts('limit=2&offset=1')).toEqual([14, 16])
    expect(await amounts('entry_type=daily_free')).toEqual([20])
    expect(await amounts('entry_type=purchase')).toEqual([])
    expect(await amounts('offset=1000')).toEqual([])
  })

  test("shows only the account's own entries", async () => {
    const busy = await register(testContext)
    await submit(testContext, busy)
    const { entries } = await ledgerOf(testContext, await register(testContext))
    expect(entries).toHaveLength(1)
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=x', 'limit'],
    ['offset=-1', 'offset'],
    ['entry_type=everything', 'entry_type'],
    ['entry_type=constructor', 'entry_type'],
  ])('refuses ?%s', async (query, field) => {
    const { token } = await register(testContext)
    const answer = await call('GET', `/api/v1/billing/ledger?${query}`, { token })
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['query', field]])
  })

  test('fails its check when the sums do not agree', async () => {
    const person = await register(testContext)
    await deps.db.$client.execute({
      sql: 'UPDATE grants SET "left" = 19 WHERE account_id = ?',
      args: [person.id],
    })
    const { check } = await ledgerOf(testContext, person)
    expect(check).toEqual({ ok: false, balance: 20, ledger_sum: 20, grants_sum: 19 })
  })
})
