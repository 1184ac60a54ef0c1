import { expect } from 'vitest'
import type { Settings } from '../../../edge/settings/rules/settings.ts'
import { makeTestContext, type TestContext } from './context.ts'
import { makeLimitedContext } from './limited-context.ts'
import { CONSENT } from './payments.ts'
import { ledgerOf, type Person } from './people.ts'
import { DAY_MS } from './shop.ts'

export type Row = Record<string, unknown>

/** Creates a test context for orders, with functions that place orders and inspect them. */
export function openOrderDesk() {
  // Emails are covered by other tests.
  const testContext = makeTestContext({ SMTP_HOST: undefined })
  const query = async (sql: string, ...args: (string | number)[]) =>
    (await testContext.deps.db.$client.execute({ sql, args })).rows as unknown as Row[]
  return {
    testContext,
    query,
    post: <Address extends string>(
      path: Address,
      { token }: Person,
      body: object,
      where: TestContext = testContext,
    ) => where.call('POST', `/api/v1/billing/${path}`, { token, body: { ...CONSENT, ...body } }),
    ordersOf: async ({ token }: Person) =>
      (await testContext.call('GET', '/api/v1/billing/payments', { token })).json,
    monthsOf: ({ id }: Person) => query('SELECT * FROM term_months WHERE account_id = ? ORDER BY number', id),
    termsOf: ({ id }: Person) =>
      query('SELECT * FROM subscriptions WHERE account_id = ? ORDER BY started_at', id),
    /** Creates the same shop with different settings. */
    makeShop: (settings: Partial<Settings>) =>
      makeLimitedContext(
        { requests_per_minute_free: 1_000_000, requests_per_day_free: 100_000_000, ...settings },
        { SMTP_HOST: undefined },
      ),
    /** Lists the ledger entries for purchases, oldest first. */
    async bought(person: Person) {
      const { entries, check } = await ledgerOf(testContext, person)
      expect(check.ok).toBe(true)
      return entries
        .filter(({ entry_type }: { entry_type: string }) => ['purchase', 'subscription'].includes(entry_type))
        .reverse()
        .map(({ entry_type, amount, expires_at }: Row) => [entry_type, amount, expires_at === null])
    },
    /** Moves the end of an account's term to five days ago. */
    async endTerm({ id }: Person): Promise<void> {
      const end = Date.now() - 5 * DAY_MS
      await query('UPDATE subscriptions SET period_end = ? WHERE account_id = ?', end, id)
    },
  }
}
