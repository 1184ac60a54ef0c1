import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { plans } from '../credits/tables.ts'
import { time } from '../platform/database/columns.ts'

/**
 * List prices of plans and packs, with the time each takes effect. The table is append-only, and the newest row
 * applies.
 */
export const listPrices = sqliteTable(
  'list_prices',
  {
    itemKind: text('item_kind', { enum: ['plan', 'package'] }).notNull(),
    itemId: integer('item_id').notNull(),
    priceCents: integer('price_cents').notNull(),
    from: time('from').notNull(),
  },
  (table) => [primaryKey({ columns: [table.itemKind, table.itemId, table.from] })],
)

/** Temporary discounts. Once a discount has started, only an earlier end is accepted. */
export const promotions = sqliteTable(
  'promotions',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    itemKind: text('item_kind', { enum: ['plan', 'package'] }).notNull(),
    itemId: integer('item_id').notNull(),
    discountPct: integer('discount_pct').notNull(),
    startsAt: time('starts_at').notNull(),
    endsAt: time('ends_at').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('promotions_item').on(table.itemKind, table.itemId, table.endsAt),
    check(
      'promotions_range',
      sql`${table.discountPct} BETWEEN 1 AND 90 AND ${table.endsAt} >= ${table.startsAt}`,
    ),
  ],
)

/** The terms that a plan is sold for, in addition to one month. */
export const planTerms = sqliteTable(
  'plan_terms',
  {
    planId: integer('plan_id')
      .notNull()
      .references(() => plans.id),
    months: integer('months').notNull(),
    discountPct: integer('discount_pct').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.planId, table.months] }),
    check(
      'plan_terms_range',
      sql`${table.months} BETWEEN 1 AND 36 AND ${table.discountPct} BETWEEN 0 AND 90`,
    ),
  ],
)
