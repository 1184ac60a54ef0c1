import { beforeAll } from 'vitest'
import type { Settings } from '../../../edge/settings/rules/settings.ts'
import { makeTestContext } from './context.ts'
import { makeLimitedContext } from './limited-context.ts'
import { buy, holdRefunds } from './payments.ts'
import { ledgerOf, type Person, register } from './people.ts'
import { listPackage, listPlan } from './shop.ts'

/**
 * Creates a shop where refunds wait for a decision, with functions that buy from it. By default, it sends no
 * emails.
 */
export function openRefundDesk(overrides: Record<string, unknown> = { SMTP_HOST: undefined }) {
  const testContext = makeTestContext(overrides)
  /**
   * The plan provides 1,000 credits a month and costs 1,500 cents a month, or 4,050 cents for three months. The
   * pack provides 500 credits and costs 1,000 cents, or 900 cents in a bundle.
   */
  const sold = { plan: { id: 0 }, pack: { id: 0 } }
  beforeAll(async () => {
    await holdRefunds(true)
    sold.plan = await listPlan(testContext, { price_cents: 1500, terms: [[3, 10]] })
    sold.pack = await listPackage(testContext, { price_cents: 1000 })
  })
  async function buyItem(item: object): Promise<{ person: Person; id: string }> {
    const person = await register(testContext)
    return { person, id: await buy(testContext, person, item) }
  }
  return {
    testContext,
    sold,
    buyPack: (more: object = {}) => buyItem({ package_id: sold.pack.id, ...more }),
    buyMonths: (more: object = {}) => buyItem({ plan_id: sold.plan.id, months: 3, ...more }),
    balanceOf: async (person: Person) => (await ledgerOf(testContext, person)).balance,
    /** Creates the same shop with different settings. */
    makeShop: (settings: Partial<Settings>) =>
      makeLimitedContext(
        { requests_per_minute_free: 1_000_000, requests_per_day_free: 100_000_000, ...settings },
        overrides,
      ),
  }
}
