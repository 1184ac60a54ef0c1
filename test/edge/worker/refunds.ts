import { expect } from 'vitest'
import { changeCredits } from '../../../edge/credits/change-credits.ts'
import { loadCredits } from '../../../edge/credits/queries.ts'
import { charge } from '../../../edge/credits/rules/ledger.ts'
import type { TestContext } from './context.ts'
import { actAtCheckout, decideRefund, order, sendCallbacks } from './payments.ts'
import { ledgerOf, type Person } from './people.ts'
import { query } from './records.ts'
import { DAY_MS } from './shop.ts'

/** The daily allowance. It expires first, so it is spent first. */
export const DAILY = 20

/** Charges credits as jobs would, without creating any jobs. */
export async function spend({ deps }: TestContext, { id }: Person, amount: number): Promise<void> {
  const job_id = crypto.randomUUID()
  await changeCredits(deps, id, {
    load: async () => ({ loaded: await loadCredits(deps.db, id) }),
    decide: (_facts, settled) => {
      const change = charge(settled, amount, { cause: `job:${job_id}:base`, job_id })
      if (change === null) throw new Error(`The account has only ${settled.balance} credits.`)
      return { change, answer: null }
    },
  })
}

const TIMES = {
  orders: ['created_at', 'credited_at'],
  term_months: ['starts_at', 'ends_at'],
  subscriptions: ['started_at', 'period_end', 'renews_at', 'grace_until'],
  grants: ['expires_at'],
}

/**
 * Moves an account's dates into the past, as if that many days had passed. The append-only ledger keeps its dates,
 * so no new daily allowance is due.
 */
export async function passDays({ deps }: TestContext, { id }: Person, days: number): Promise<void> {
  const shift_ms = days * DAY_MS
  await deps.db.$client.batch(
    Object.entries(TIMES).map(([table, columns]) => ({
      sql: `UPDATE ${table} SET ${columns.map((name) => `${name} = ${name} - ${shift_ms}`)} WHERE account_id = ?`,
      args: [id],
    })),
    'write',
  )
}

export async function quoteOf({ call }: TestContext, { token }: Person, id: string) {
  const { status, json, text } = await call('GET', `/api/v1/billing/payments/${id}/refund-quote`, { token })
  expect(status, text).toBe(200)
  return json
}

export function askRefund(
  { call }: TestContext,
  { token }: Person,
  id: string,
  { body = {}, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
) {
  return call('POST', `/api/v1/billing/payments/${id}/refund`, { token, body, headers })
}

/** Requests a refund, which must be accepted, and waits until the request has been sent to the provider. */
export async function refund(testContext: TestContext, person: Person, id: string) {
  const { status, json, text } = await askRefund(testContext, person, id)
  expect(status, text).toBe(200)
  await testContext.settled()
  return json
}

/** Approves or rejects an order's refund at the provider and sends the resulting events. */
export async function settleRefund(
  testContext: TestContext,
  id: string,
  status: 'approved' | 'rejected',
): Promise<void> {
  await sendCallbacks(testContext, await decideRefund(id, status))
}

/** Lists the account's refunds, newest first. */
export async function refundsOf({ call }: TestContext, { token }: Person) {
  return (await call('GET', '/api/v1/billing/refunds', { token })).json
}

/**
 * Buys with crypto, where refunds are paid out by hand.
 * @returns the order's id
 */
export async function buyInCrypto(testContext: TestContext, person: Person, item: object): Promise<string> {
  const id = await order(testContext, person, { ...item, provider: 'sandbox_crypto' })
  await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
  return id
}

/** Lists an order's ledger entries, oldest first. The whole ledger must be consistent. */
export async function entriesOf(
  testContext: TestContext,
  person: Person,
  id: string,
): Promise<[string, number][]> {
  const { entries, check } = await ledgerOf(testContext, person)
  expect(check.ok).toBe(true)
  return entries
    .filter(({ order_id }: { order_id: string | null }) => order_id === id)
    .reverse()
    .map(({ entry_type, amount }: { entry_type: string; amount: number }) => [entry_type, amount])
}

interface Month {
  number: number
  starts_at: number
  ends_at: number
  withdrawn_by: string | null
  grant_sequence: number | null
}

export async function monthsOf(testContext: TestContext, { id }: Person): Promise<Month[]> {
  const sql = 'SELECT * FROM term_months WHERE account_id = ? ORDER BY number'
  return (await query(testContext, sql, id)) as unknown as Month[]
}

/** Lists the account's terms, oldest first. */
export function termsOf(testContext: TestContext, { id }: Person) {
  return query(testContext, 'SELECT * FROM subscriptions WHERE account_id = ? ORDER BY started_at', id)
}

/** Lists the unsent emails about a refund, oldest first. */
export async function emailsAbout(testContext: TestContext, refund_id: string) {
  const sql = 'SELECT payload FROM outbox WHERE id LIKE ? ORDER BY created_at, id'
  const rows = await query(testContext, sql, `mail:refund:${refund_id}:%`)
  return rows.map(({ payload }) => JSON.parse(String(payload)))
}
