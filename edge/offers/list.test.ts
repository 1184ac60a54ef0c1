import { describe, expect, test } from 'vitest'
import { makeTestContext, type TestContext } from '../../test/edge/worker/context.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { DAY_MS, listPackage, listPlan, ownPrice } from '../../test/edge/worker/shop.ts'
import { subscriptions } from '../tables.ts'

const testContext = makeTestContext()
const { call, deps } = testContext

async function runTerm(
  { deps }: TestContext,
  { id }: Person,
  planId: number,
  period_end: number,
): Promise<void> {
  await deps.db.insert(subscriptions).values({
    id: crypto.randomUUID(),
    accountId: id,
    planId,
    startedAt: period_end - 30 * DAY_MS,
    periodEnd: period_end,
    renewalStatus: 'off',
    provider: 'sandbox_card',
  })
}

describe('price lists', () => {
  test('are public and never cached', async () => {
    const answer = await call('GET', '/api/v1/public/pricing')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(answer.json.packages[0]).not.toHaveProperty('purchasable')
  })

  test('sell the sampled plans for 1, 3, 6 and 12 months at 0, 10, 15 and 20 % off', async () => {
    const { plans } = (await call('GET', '/api/v1/public/pricing')).json
    const pro = plans.find(({ slug }: { slug: string }) => slug === 'pro')
    expect(pro?.terms.map((term) => [term.months, term.discount_pct, term.charge_cents])).toEqual([
      [1, 0, 1500],
      [3, 10, 4050],
      [6, 15, 7650],
      [12, 20, 14_400],
    ])
  })

  test('name the first provider as the default', async () => {
    const { token } = await register(testContext)
    const { json } = await call('GET', '/api/v1/billing/providers', { token })
    expect(json).toEqual(
      deps.payments.map(({ name, label, kind }, index) => ({ name, label, kind, is_default: index === 0 })),
    )
    expect(json.length).toBeGreaterThan(0)
  })

  test('omit a closed provider, and the next one becomes the default', async () => {
    const [first, second] = deps.payments.map(({ name }) => name)
    const limited = await makeLimitedContext({ payment_providers_closed: [first ?? ''] })
    const { token } = await register(limited)
    const { json } = await limited.call('GET', '/api/v1/billing/providers', { token })
    expect(json).toEqual([expect.objectContaining({ name: second, is_default: true })])
  })

  const lengths = async (where: TestContext, { token }: Person) => {
    const list = async <Name extends 'plans' | 'providers' | 'packages'>(name: Name) =>
      (await where.call('GET', `/api/v1/billing/${name}` as const, { token })).json
    const [plans, providers, packages] = [
      await list('plans'),
      await list('providers'),
      await list('packages'),
    ]
    return { plans: plans.length, providers: providers.length, packages }
  }

  test('are empty without a provider', async () => {
    const bare = makeTestContext({ PAYMENT_SANDBOX_URL: undefined, PAYMENT_SANDBOX_SECRET: undefined })
    expect(await lengths(bare, await register(bare))).toEqual({ plans: 0, providers: 0, packages: [] })
  })

  test.each(['while payments are not live', 'for an account without payments enabled'])(
    'offer no plans, providers or purchasable packs %s',
    async (when) => {
      const isLive = !when.includes('live')
      const limited = await makeLimitedContext({ payments_live: isLive })
      const person = await register(limited)
      if (isLive) {
        await limited.deps.db.$client.execute({
          sql: 'UPDATE accounts SET payments_enabled = 0 WHERE id = ?',
          args: [person.id],
        })
      }
      const { plans, providers, packages } = await lengths(limited, person)
      expect([plans, providers]).toEqual([0, 0])
      expect(packages.length).toBeGreaterThan(0)
      for (const { purchasable } of packages) expect(purchasable).toBe(false)
    },
  )

  test('mark packs sold as add-ons as purchasable while a term runs', async () => {
    const limited = await makeLimitedContext({ packs_require_subscription: true })
    const [without, running, over] = [
      await register(limited),
      await register(limited),
      await register(limited),
    ]
    const [plan, pack] = [await listPlan(limited), await listPackage(limited)]
    await runTerm(limited, running, plan.id, limited.clock.now + DAY_MS)
    await runTerm(limited, over, plan.id, limited.clock.now - 1)
    const isPurchasable = async (person: Person) =>
      (await ownPrice(limited, person, 'packages', pack.id))?.purchasable
    expect([await isPurchasable(without), await isPurchasable(running), await isPurchasable(over)]).toEqual([
      false,
      true,
      false,
    ])
  })
})
