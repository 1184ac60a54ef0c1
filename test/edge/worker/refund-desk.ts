import { beforeAll } from 'vitest'
import type { Settings } from '../../../edge/settings/rules/settings.ts'
import { makeTestContext } from './context.ts'
import { makeLimitedContext } from './limited-context.ts'
import { buy, holdRefunds } from './payments.ts'
import { ledgerOf, type Person, register } from './people.ts'
import { listPackage, listPlan } from './shop.ts'

/**
 * A shop whose refunds wait to be decided about, and the means to buy there. Without overrides no letters are
 * written.
 */
export function openRefundDesk(overrides: Record<string, unknown> = { SMTP_HOST: undefined }) {
  const testContext = makeTestContext(overrides)
  /** 1,000 credits a month for 1,500 cents, 4,050 for three; 500 credits for 1,000, 900 in a bundle. */
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
    /** The same shop under other settings. */
    makeShop: (settings: Partial<Settings>) =>
      makeLimitedContext(
        { requests_per_minute_free: 1_000_000, requests_per_day_free: 100_000_000, ...settings },
        overrides,
      ),
  }
}
