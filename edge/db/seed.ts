import { seedOperations } from './catalogue.ts'
import type { Database } from './client.ts'
import { packages, plans } from './schema.ts'

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
  { id: 1, name: '100 credits', credits: 100, priceCents: 200 },
  { id: 2, name: '500 credits', credits: 500, priceCents: 800 },
  { id: 3, name: '2,000 credits', credits: 2000, priceCents: 2500 },
].map((pack) => ({ ...pack, currency: 'USD' }))

/** The catalogue, and the sampled plans and packs. Running it again changes nothing. */
export async function seedDatabase(db: Pick<Database, 'insert'>): Promise<void> {
  await seedOperations(db)
  await db.insert(plans).values(PLANS).onConflictDoNothing()
  await db.insert(packages).values(PACKAGES).onConflictDoNothing()
}
