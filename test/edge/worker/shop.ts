import { expect } from 'vitest'
import { listPrices, orders, packages, plans, planTerms, promotions } from '../../../edge/tables.ts'
import type { ResponseBody } from './answers.ts'
import type { TestContext } from './context.ts'
import { type Person, register } from './people.ts'

export const DAY_MS = 24 * 60 * 60 * 1000

/** Creates an administrator with a session. */
export async function registerAdministrator(testContext: TestContext): Promise<Person> {
  const person = await register(testContext)
  await testContext.deps.db.$client.execute({
    sql: 'UPDATE accounts SET is_admin = 1 WHERE id = ?',
    args: [person.id],
  })
  return person
}

interface Listing {
  /** For a plan, this is the price of one month. */
  price_cents?: number
  /** List prices and how many days ago each took effect. The newest is `price_cents`. */
  history?: [days: number, price_cents: number][]
  /** For a plan, the terms it offers in addition to one month, with their discounts. */
  terms?: [months: number, discount_pct: number][]
  /** `from` and `until` are in days from now. */
  promotion?: { from: number; until: number; discount_pct: number }
}

/** Creates a plan for this test that provides 1,000 credits a month. */
export async function listPlan(
  { deps }: TestContext,
  listing: Listing = {},
): Promise<{ id: number; slug: string }> {
  const { price_cents = 1000, terms = [[12, 25]] } = listing
  const slug = `plan-${crypto.randomUUID()}`
  const [plan] = await deps.db
    .insert(plans)
    .values({
      slug,
      name: 'Tried',
      priceCents: price_cents,
      currency: 'USD',
      periodCredits: 1000,
      periodDays: 30,
      priority: 3,
      requestsPerMinute: 300,
      requestsPerDay: 1000,
      inFlightMax: 20,
    })
    .returning()
  if (plan === undefined) throw new Error('The plan was not created.')
  const rows = [[1, 0] as const, ...terms]
  await deps.db
    .insert(planTerms)
    .values(rows.map(([months, discountPct]) => ({ planId: plan.id, months, discountPct })))
  await priceItem(deps, 'plan', plan.id, { price_cents, ...listing })
  return { id: plan.id, slug }
}

/** Creates a pack for this test that provides 500 credits. */
export async function listPackage({ deps }: TestContext, listing: Listing = {}): Promise<{ id: number }> {
  const { price_cents = 1000 } = listing
  const [pack] = await deps.db
    .insert(packages)
    .values({ name: 'Tried', credits: 500, priceCents: price_cents, currency: 'USD' })
    .returning()
  if (pack === undefined) throw new Error('The pack was not created.')
  await priceItem(deps, 'package', pack.id, { price_cents, ...listing })
  return { id: pack.id }
}

async function priceItem(
  { db, clock }: TestContext['deps'],
  itemKind: 'plan' | 'package',
  itemId: number,
  { price_cents, history, promotion }: Listing & { price_cents: number },
): Promise<void> {
  const now = clock.now()
  const points = history ?? [[0, price_cents] as const]
  await db
    .insert(listPrices)
    .values(
      points.map(([days, cents]) => ({ itemKind, itemId, priceCents: cents, from: now - days * DAY_MS })),
    )
  if (promotion === undefined) return
  await db.insert(promotions).values({
    itemKind,
    itemId,
    discountPct: promotion.discount_pct,
    startsAt: now + promotion.from * DAY_MS,
    endsAt: now + promotion.until * DAY_MS,
    createdAt: now,
  })
}

type NewOrder = typeof orders.$inferInsert

/** Inserts paid orders, which the price lists count as sales. */
export async function placeOrders(
  { deps }: TestContext,
  person: Person,
  count: number,
  { days_ago = 0, ...order }: Partial<NewOrder> & { days_ago?: number },
): Promise<void> {
  const at = deps.clock.now() - days_ago * DAY_MS
  const rows = Array.from(
    { length: count },
    (): NewOrder => ({
      id: crypto.randomUUID(),
      accountId: person.id,
      kind: 'subscription',
      status: 'paid',
      provider: 'sandbox_card',
      itemName: 'Tried',
      credits: 1000,
      amountCents: 1000,
      currency: 'USD',
      termsVersion: 'test',
      createdAt: at,
      creditedAt: at,
      ...order,
    }),
  )
  await deps.db.insert(orders).values(rows)
}

type Prices = ResponseBody<'GET', '/api/v1/public/pricing'>
type OwnPrices = {
  plans: ResponseBody<'GET', '/api/v1/billing/plans'>
  packages: ResponseBody<'GET', '/api/v1/billing/packages'>
}

/** Reads an item from the public price list. Returns undefined if it is not listed. */
export async function publicPrice<Kind extends 'plans' | 'packages'>(
  { call }: TestContext,
  kind: Kind,
  id: number,
): Promise<Prices[Kind][number] | undefined> {
  const { status, json } = await call('GET', '/api/v1/public/pricing')
  expect(status).toBe(200)
  const items: readonly Prices[Kind][number][] = json[kind]
  return items.find((item) => item.id === id)
}

/** Reads an item from an account's price list. Returns undefined if it is not listed. */
export async function ownPrice<Kind extends 'plans' | 'packages'>(
  { call }: TestContext,
  { token }: Person,
  kind: Kind,
  id: number,
): Promise<OwnPrices[Kind][number] | undefined> {
  const own = {
    plans: () => call('GET', '/api/v1/billing/plans', { token }),
    packages: () => call('GET', '/api/v1/billing/packages', { token }),
  }
  const { status, json } = await own[kind]()
  expect(status).toBe(200)
  const items: readonly OwnPrices[Kind][number][] = json
  return items.find((item) => item.id === id)
}
