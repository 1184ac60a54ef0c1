import { and, asc, count, eq, gt, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { isRunning, type TermState } from '../subscriptions/rules/terms.ts'
import { runningTermQuery, type StoredTerm } from '../subscriptions/term-queries.ts'
import {
  accounts,
  listPrices,
  orders,
  packages,
  plans,
  planTerms,
  priceLocks,
  promotions,
} from '../tables.ts'
import { findPopular } from './rules/popular.ts'
import { type Priced, type PricedPack, type PricedPlan, withOneMonth } from './rules/prices.ts'
import { REFERENCE_WINDOW_MS } from './rules/reference-price.ts'

/** No account has this id, so queries for it return nothing. */
const NO_ACCOUNT = 0

/** Items on sale, cheapest first, with everything that their prices depend on. */
export interface Offers {
  plans: PricedPlan[]
  packages: PricedPack[]
  popular_plan_id: number | null
  popular_package_id: number | null
  account: { payments_enabled: boolean; has_running_term: boolean } | null
}

/** Loads all items on sale in one round trip. */
export async function readOffers(
  db: Database,
  accountId: number | null,
  { now, popular_window_days }: { now: number; popular_window_days: number },
): Promise<Offers> {
  const account = accountId ?? NO_ACCOUNT
  const since = now - popular_window_days * DAY_MS
  const [planRows, packRows, terms, promotionRows, history, locks, plansSold, packsSold, own, running] =
    await db.batch([
      db.select().from(plans).where(isNull(plans.retiredAt)).orderBy(asc(plans.priceCents), asc(plans.id)),
      db
        .select()
        .from(packages)
        .where(isNull(packages.retiredAt))
        .orderBy(asc(packages.priceCents), asc(packages.id)),
      db
        .select({
          plan_id: planTerms.planId,
          months: planTerms.months,
          discount_pct: planTerms.discountPct,
        })
        .from(planTerms)
        .orderBy(asc(planTerms.months)),
      promotionsQuery(db, now - 2 * REFERENCE_WINDOW_MS),
      historyQuery(db, now - 2 * REFERENCE_WINDOW_MS),
      locksQuery(db, account),
      salesQuery(db, orders.planId, since),
      salesQuery(db, orders.packageId, since),
      db
        .select({ payments_enabled: accounts.paymentsEnabled })
        .from(accounts)
        .where(eq(accounts.id, account)),
      runningTermQuery(db, account),
    ])
  const pricing = (kind: 'plan' | 'package', id: number): Pick<Priced, 'promotions' | 'history'> => ({
    promotions: promotionRows.filter((row) => row.item_kind === kind && row.item_id === id),
    history: history.filter((row) => row.item_kind === kind && row.item_id === id),
  })
  return {
    plans: planRows.map((row) => ({
      ...toPlan(row),
      terms: withOneMonth(terms.filter(({ plan_id }) => plan_id === row.id)),
      lock: locks.find(({ plan_id }) => plan_id === row.id) ?? null,
      ...pricing('plan', row.id),
    })),
    packages: packRows.map((row) => ({ ...toPack(row), ...pricing('package', row.id) })),
    popular_plan_id: findPopular(plansSold, planRows),
    popular_package_id: findPopular(packsSold, packRows),
    account: own[0] ? { ...own[0], has_running_term: isRunning(toTermState(running[0]), now) } : null,
  }
}

function toPlan(row: typeof plans.$inferSelect) {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    badge: row.badge,
    price_cents: row.priceCents,
    currency: row.currency,
    period_credits: row.periodCredits,
    period_days: row.periodDays,
    priority: row.priority,
  }
}

function toPack(row: typeof packages.$inferSelect) {
  return {
    id: row.id,
    name: row.name,
    badge: row.badge,
    credits: row.credits,
    price_cents: row.priceCents,
    currency: row.currency,
  }
}

function toTermState(row: StoredTerm | undefined): TermState | null {
  if (row === undefined) return null
  const { renewalStatus, periodEnd, graceUntil } = row.subscription
  return { renewal_status: renewalStatus, period_end: periodEnd, grace_until: graceUntil }
}

function locksQuery(db: Database, accountId: number) {
  return db
    .select({
      plan_id: priceLocks.planId,
      monthly_rate_cents: priceLocks.monthlyRateCents,
      credits_per_month: priceLocks.creditsPerMonth,
    })
    .from(priceLocks)
    .where(eq(priceLocks.accountId, accountId))
}

function promotionsQuery(db: Database, endedAfter: number) {
  return db
    .select({
      item_kind: promotions.itemKind,
      item_id: promotions.itemId,
      discount_pct: promotions.discountPct,
      starts_at: promotions.startsAt,
      ends_at: promotions.endsAt,
    })
    .from(promotions)
    .where(gt(promotions.endsAt, endedAfter))
}

/** Selects the list prices that were in effect at `since` or later. */
function historyQuery(db: Database, since: number) {
  // Qualifies the outer columns, because unqualified names would refer to the inner ones.
  const inForceThen = sql`(SELECT max(earlier."from") FROM list_prices earlier
    WHERE earlier.item_kind = list_prices.item_kind AND earlier.item_id = list_prices.item_id
    AND earlier."from" <= ${since})`
  return db
    .select({
      item_kind: listPrices.itemKind,
      item_id: listPrices.itemId,
      price_cents: listPrices.priceCents,
      from: listPrices.from,
    })
    .from(listPrices)
    .where(gte(listPrices.from, sql`coalesce(${inForceThen}, ${since})`))
}

/** Counts the orders of each item that were paid since the given time, excluding fully refunded ones. */
function salesQuery(db: Database, item: typeof orders.planId | typeof orders.packageId, since: number) {
  return db
    .select({ id: sql<number>`${item}`, orders: count(), last_at: sql<number>`max(${orders.creditedAt})` })
    .from(orders)
    .where(
      and(
        gte(orders.creditedAt, since),
        // The unary plus keeps SQLite from using the status index, which covers every order ever paid.
        sql`+${orders.status} IN ('paid', 'partially_refunded')`,
        isNotNull(item),
      ),
    )
    .groupBy(item)
}
