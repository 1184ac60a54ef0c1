import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { listPrices, packages, plans, planTerms, promotions } from '../tables.ts'
import type { Term } from './rules/prices.ts'

export type StoredPlan = typeof plans.$inferSelect & { terms: Term[] }
export type StoredPackage = typeof packages.$inferSelect
export type StoredPromotion = typeof promotions.$inferSelect
export type ItemKind = StoredPromotion['itemKind']

/** Lists all plans with their terms, including retired ones. */
export async function readPlans(db: Database): Promise<StoredPlan[]> {
  const [rows, terms] = await db.batch([
    db.select().from(plans).orderBy(asc(plans.id)),
    db.select().from(planTerms).orderBy(asc(planTerms.months)),
  ])
  return rows.map((row) => ({
    ...row,
    terms: terms
      .filter(({ planId }) => planId === row.id)
      .map(({ months, discountPct }) => ({ months, discount_pct: discountPct })),
  }))
}

export function readPackages(db: Database): Promise<StoredPackage[]> {
  return db.select().from(packages).orderBy(asc(packages.id))
}

export function readPromotions(db: Database): Promise<StoredPromotion[]> {
  return db.select().from(promotions).orderBy(desc(promotions.id))
}

export function promotionsOfItem(db: Database, kind: ItemKind, id: number): Promise<StoredPromotion[]> {
  return db
    .select()
    .from(promotions)
    .where(and(eq(promotions.itemKind, kind), eq(promotions.itemId, id)))
}

/** Returns the id of the next row; ids are never reused. */
export async function nextId(db: Database, table: 'plans' | 'packages' | 'promotions'): Promise<number> {
  const [row] = await db.all<{ id: number }>(
    sql`SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${table}), 0) + 1 AS id`,
  )
  return row?.id ?? 1
}

/** Writes a new or changed plan with its terms. */
export function planStatements(db: Database, { terms, ...plan }: StoredPlan): Statement[] {
  return [
    db.insert(plans).values(plan).onConflictDoUpdate({ target: plans.id, set: plan }),
    db.delete(planTerms).where(eq(planTerms.planId, plan.id)),
    ...terms.map(({ months, discount_pct }) =>
      db.insert(planTerms).values({ planId: plan.id, months, discountPct: discount_pct }),
    ),
  ]
}

export function packageStatement(db: Database, pack: StoredPackage): Statement {
  return db.insert(packages).values(pack).onConflictDoUpdate({ target: packages.id, set: pack })
}

export function promotionStatement(db: Database, promotion: StoredPromotion): Statement {
  return db.insert(promotions).values(promotion).onConflictDoUpdate({ target: promotions.id, set: promotion })
}

/** Records a list price and the time it takes effect. The reference prices of discounts depend on both. */
export function listPriceStatement(
  db: Database,
  item: { kind: ItemKind; id: number; price_cents: number },
  now: number,
): Statement {
  return db
    .insert(listPrices)
    .values({ itemKind: item.kind, itemId: item.id, priceCents: item.price_cents, from: now })
}
