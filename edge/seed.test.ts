import { expect, test } from 'vitest'
import { makeTestContext } from '../test/edge/worker/context.ts'
import { registerAdministrator } from '../test/edge/worker/shop.ts'
import { seedDatabase } from './seed.ts'

const testContext = makeTestContext()
const { call, deps } = testContext

async function readAll(table: string): Promise<unknown[]> {
  const { rows } = await deps.db.$client.execute(`SELECT * FROM ${table}`)
  return rows.map((row) => ({ ...row }))
}

test('seeding again changes nothing and keeps administrative changes', async () => {
  const { token } = await registerAdministrator(testContext)
  const created = await call('POST', '/api/v1/admin/plans', {
    token,
    body: { slug: crypto.randomUUID(), name: 'Bare', price_cents: 100, period_credits: 10 },
  })
  expect(created.status, created.text).toBe(201)
  const tables = ['operations', 'plans', 'packages', 'plan_terms', 'list_prices']
  const before = await Promise.all(tables.map(readAll))
  await seedDatabase(deps.db)
  await seedDatabase(deps.db, Date.now() + 1000)
  expect(await Promise.all(tables.map(readAll))).toEqual(before)
})

test('every seeded plan and pack has a first price and a one-month term', async () => {
  const count = async (sql: string) => Number((await deps.db.$client.execute(sql)).rows[0]?.count)
  const sampled = "SELECT id FROM plans WHERE slug IN ('starter', 'pro', 'business')"
  expect(
    await count(`SELECT count(*) AS count FROM plan_terms WHERE months = 1 AND plan_id IN (${sampled})`),
  ).toBe(3)
  expect(
    await count(
      `SELECT count(DISTINCT item_id) AS count FROM list_prices WHERE item_kind = 'plan' AND item_id IN (${sampled})`,
    ),
  ).toBe(3)
  expect(
    await count(
      "SELECT count(DISTINCT item_id) AS count FROM list_prices WHERE item_kind = 'package' AND item_id <= 3",
    ),
  ).toBe(3)
})
