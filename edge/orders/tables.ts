import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { LOCALES } from '../../shared/text/texts.ts'
import { accounts } from '../accounts/tables.ts'
import { packages, plans } from '../credits/tables.ts'
import type { AcceptedDocument } from '../legal/rules/documents.ts'
import { flag, time } from '../platform/database/columns.ts'
import { ORDER_KINDS, ORDER_STATES } from './rules/states.ts'

/** Matches delivered orders with a surplus, as `surplusCents` computes it. */
export const hasSurplus = sql`credited_at IS NOT NULL
  AND actually_paid_cents > refused_cents + amount_cents - undelivered_cents + surplus_credited_cents`

/** A purchase: a pack, months of a plan, or both as a bundle. */
export const orders = sqliteTable(
  'orders',
  {
    /** Quoted to support and sent to the provider. */
    id: text('id').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    kind: text('kind', { enum: ORDER_KINDS }).notNull(),
    status: text('status', { enum: ORDER_STATES }).notNull(),
    transitions: integer('moves').notNull().default(1),
    provider: text('provider').notNull(),
    planId: integer('plan_id').references(() => plans.id),
    packageId: integer('package_id').references(() => packages.id),
    itemName: text('item_name').notNull(),
    /** Credits of the main item, without a bundled pack; for a plan, the total for the whole term. */
    credits: integer('credits').notNull(),
    months: integer('months'),
    creditsPerMonth: integer('credits_per_month'),
    periodDays: integer('period_days'),
    /** The plan's monthly rate for this account before discounts, which the price lock preserves. */
    monthlyRateCents: integer('monthly_rate_cents'),
    extendsTerm: flag('extends_term').notNull().default(false),
    bundleItemName: text('bundle_item_name'),
    bundleCredits: integer('bundle_credits'),
    bundleAmountCents: integer('bundle_amount_cents'),
    bundleDiscountPct: integer('bundle_discount_pct'),
    /** Total amount, including the pack of a bundle. */
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    actuallyPaidCents: integer('actually_paid_cents').notNull().default(0),
    /** What the payer was charged with tax, as the provider reported it; null if it reports none, or before the payment. */
    totalCents: integer('total_cents'),
    /** The tax in the total. */
    taxCents: integer('tax_cents'),
    /** Currency of the total and its tax, in which the payer paid. */
    totalCurrency: text('total_currency'),
    /** The part of the payment that an administrator refused, which no longer counts. */
    refusedCents: integer('refused_cents').notNull().default(0),
    /** The part of the price for which an administrator delivered nothing, by a pro-rata grant. */
    undeliveredCents: integer('undelivered_cents').notNull().default(0),
    /** Money beyond the price for which an administrator added credits. */
    surplusCreditedCents: integer('surplus_credited_cents').notNull().default(0),
    autoRenew: flag('auto_renew').notNull().default(false),
    /** The term whose mandate paid for this order; null for a checkout. */
    renewalOf: text('renewal_of'),
    consentLocale: text('consent_locale', { enum: LOCALES }),
    /** Version of the accepted terms, which `accepted_documents` repeats. */
    termsVersion: text('terms_version').notNull(),
    acceptedDocuments: text('accepted_documents', { mode: 'json' })
      .$type<AcceptedDocument[]>()
      .notNull()
      .default([]),
    /** The provider's reference for the checkout or payment; null until it is known. */
    providerReference: text('provider_reference'),
    redirectUrl: text('redirect_url'),
    createdAt: time('created_at').notNull(),
    creditedAt: time('credited_at'),
    /** When to poll the provider if no event arrives first; null once the order is settled. */
    nextPollAt: time('next_poll_at'),
    polls: integer('polls').notNull().default(0),
  },
  (table) => [
    index('orders_account').on(table.accountId, table.createdAt),
    index('orders_created').on(table.createdAt, table.id),
    index('orders_poll').on(table.nextPollAt).where(sql`next_poll_at IS NOT NULL`),
    index('orders_status').on(table.status, table.createdAt),
    index('orders_credited')
      .on(table.creditedAt, table.status, table.planId, table.packageId)
      .where(sql`credited_at IS NOT NULL`),
    index('orders_surplus').on(table.createdAt).where(hasSurplus),
    uniqueIndex('orders_reference').on(table.provider, table.providerReference),
    check('orders_amount', sql`${table.amountCents} > 0 AND ${table.actuallyPaidCents} >= 0`),
  ],
)

/** One row per transition; append-only. The primary key lets only one of two concurrent transitions succeed. */
export const orderTransitions = sqliteTable(
  'order_moves',
  {
    orderId: text('order_id').notNull(),
    number: integer('number').notNull(),
    status: text('status', { enum: ORDER_STATES }).notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.number] })],
)

/** Handled provider events. A repeated event changes nothing. */
export const paymentEvents = sqliteTable(
  'payment_events',
  {
    provider: text('provider').notNull(),
    id: text('id').notNull(),
    /** The provider's id of the order, mandate, or refund. */
    about: text('about').notNull(),
    kind: text('kind').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.id] })],
)
