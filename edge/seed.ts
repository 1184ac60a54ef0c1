import { sql } from 'drizzle-orm'
import { seedOperations } from './catalog/queries.ts'
import type { Database } from './platform/database/client.ts'
import { listPrices, packages, plans, planTerms } from './tables.ts'

const PLANS = [
  { slug: 'starter', name: 'Starter', periodCredits: 500, priceCents: 500, priority: 3, inFlightMax: 20 },
  { slug: 'pro', name: 'Pro', periodCredits: 2000, priceCents: 1500, priority: 2, inFlightMax: 50 },
  {
    slug: 'business',
    name: 'Business',
    periodCredits: 10_000,
    priceCents: 5900,
    priority: 1,
    inFlightMax: 200,
  },
].map((plan) => ({
  ...plan,
  currency: 'USD',
  periodDays: 30,
  requestsPerMinute: 300,
  requestsPerDay: 250_000,
}))

const PACKAGES = [
  { id: 1, name: '100 bonuses', credits: 100, priceCents: 200 },
  { id: 2, name: '500 bonuses', credits: 500, priceCents: 800 },
  { id: 3, name: '2,000 bonuses', credits: 2000, priceCents: 2500 },
].map((pack) => ({ ...pack, currency: 'USD' }))

/** The length of each term in months, and its discount in percent. */
const TERMS: [number, number][] = [
  [1, 0],
  [3, 10],
  [6, 15],
  [12, 20],
]

/**
 * Seeds the catalog and sample plans and packs with their terms and first prices. Running it again changes nothing
 * and preserves administrators' changes.
 */
export async function seedDatabase(db: Pick<Database, 'insert'>, now = Date.now()): Promise<void> {
  await seedOperations(db)
  await db.insert(plans).values(PLANS).onConflictDoNothing()
  await db.insert(packages).values(PACKAGES).onConflictDoNothing()
  const terms = sql.join(
    TERMS.map((term) => sql`(${sql.join(term, sql`, `)})`),
    sql`, `,
  )
  await db.insert(planTerms).select(sql`SELECT plans.id, column1, column2 FROM plans, (VALUES ${terms})
    WHERE NOT EXISTS (SELECT 1 FROM plan_terms WHERE plan_id = plans.id)`)
  await db.insert(listPrices).select(sql`SELECT 'plan', id, price_cents, ${now} FROM plans
    WHERE NOT EXISTS (SELECT 1 FROM list_prices WHERE item_kind = 'plan' AND item_id = plans.id)`)
  await db.insert(listPrices).select(sql`SELECT 'package', id, price_cents, ${now} FROM packages
    WHERE NOT EXISTS (SELECT 1 FROM list_prices WHERE item_kind = 'package' AND item_id = packages.id)`)
}
