import { expect } from 'vitest'
import type { TestContext } from './context.ts'
import { actAtCheckout, order, sendCallbacks, showSandboxOrder } from './payments.ts'
import { type Person, register } from './people.ts'
import { DAY_MS } from './shop.ts'

/**
 * Buys months of a plan, with automatic renewal by default.
 * @returns the order's id
 */
export async function subscribe(
  testContext: TestContext,
  person: Person,
  plan_id: number,
  { months = 1, renews = true, ...more }: { months?: number; renews?: boolean; consent_locale?: string } = {},
): Promise<string> {
  const recurring = renews ? { auto_renew: true, accept_recurring: true } : {}
  const id = await order(testContext, person, {
    plan_id,
    months,
    provider: 'sandbox_card',
    ...recurring,
    ...more,
  })
  await sendCallbacks(testContext, await actAtCheckout(id, 'pay'))
  return id
}

/** Registers a person who subscribes to a plan, and returns the order and its mandate. */
export async function openSubscriber(testContext: TestContext, plan_id: number, months = 1) {
  const person = await register(testContext)
  const order_id = await subscribe(testContext, person, plan_id, { months })
  const [mandate] = (await showSandboxOrder(order_id)).mandates
  if (mandate === undefined) throw new Error('there is no mandate')
  return { person, order_id, mandate: mandate.id }
}

/** Runs an action on an order's mandate at the provider and sends the resulting events. */
export async function actOnMandate(testContext: TestContext, order_id: string, action: string) {
  const callbacks = await actAtCheckout(order_id, action)
  await sendCallbacks(testContext, callbacks)
  return callbacks
}

/** Moves a term and its grants into the past, as if the term had started `days` earlier. */
export async function age({ deps }: TestContext, { id }: Person, days: number): Promise<void> {
  const shift_ms = days * DAY_MS
  const term = ['started_at', 'period_end', 'renews_at', 'grace_until', 'noticed_for', 'charge_asked_at']
  const shift = (columns: string[]) =>
    columns.map((column) => `${column} = ${column} - ${shift_ms}`).join(', ')
  await deps.db.$client.batch(
    [
      `UPDATE subscriptions SET ${shift(term)} WHERE account_id = ${id}`,
      `UPDATE term_months SET ${shift(['starts_at', 'ends_at'])} WHERE account_id = ${id}`,
      `UPDATE grants SET ${shift(['expires_at'])} WHERE account_id = ${id} AND kind = 'subscription'`,
    ],
    'write',
  )
}

export async function showTerm({ call }: TestContext, { token }: Person) {
  const { status, json, text } = await call('GET', '/api/v1/billing/subscription', { token })
  expect(status, text).toBe(200)
  return text === 'null' ? null : json
}

export function cancelRenewal(
  { call }: TestContext,
  { token }: Person,
  headers: Record<string, string> = {},
) {
  return call('POST', '/api/v1/billing/subscription/cancel', { token, headers })
}

/** Reads from the database the credits that plans delivered, oldest first. */
export async function deliveredTo({ deps }: TestContext, { id }: Person): Promise<number[]> {
  const sql =
    "SELECT amount FROM ledger WHERE account_id = ? AND entry_type = 'subscription' ORDER BY sequence"
  return (await deps.db.$client.execute({ sql, args: [id] })).rows.map(({ amount }) => Number(amount))
}

/** Reads the transitions of an account's terms and the reasons for them, oldest first. */
export async function transitionsOf({ deps }: TestContext, { id }: Person): Promise<[string, string][]> {
  const sql = `SELECT m.renewal_status AS status, m.reason FROM subscription_moves m
    JOIN subscriptions s ON s.id = m.subscription_id
    WHERE s.account_id = ? ORDER BY s.started_at, m.number`
  const { rows } = await deps.db.$client.execute({ sql, args: [id] })
  return rows.map(({ status, reason }) => [String(status), String(reason).replace(/:.*/, '')])
}

/** Reads a person's unsent emails. The test context must have no mail server. */
export async function emailsTo({ deps }: TestContext, { email }: Person) {
  const sql = "SELECT payload FROM outbox WHERE kind = 'mail' AND payload LIKE ? ORDER BY created_at"
  const { rows } = await deps.db.$client.execute({ sql, args: [`%"${email}"%`] })
  return rows.map(({ payload }) => JSON.parse(String(payload)))
}
