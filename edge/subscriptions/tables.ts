import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { LOCALES } from '../../shared/text/texts.ts'
import { accounts } from '../accounts/tables.ts'
import { plans } from '../credits/tables.ts'
import { orders } from '../orders/tables.ts'
import { time } from '../platform/database/columns.ts'
import { RENEWAL_STATES } from './rules/states.ts'

/** Terms of plans, running or ended. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    id: text('id').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The plan of the last delivered month. A term can contain months of several plans. */
    planId: integer('plan_id')
      .notNull()
      .references(() => plans.id),
    transitions: integer('moves').notNull().default(1),
    startedAt: time('started_at').notNull(),
    /** When access ends. Withdrawn months do not count. */
    periodEnd: time('period_end').notNull(),
    renewalStatus: text('renewal_status', { enum: RENEWAL_STATES }).notNull(),
    provider: text('provider').notNull(),
    /** The provider's id of the mandate; null if there is none. */
    mandate: text('mandate'),
    /** Fixed when the term opens, like the next two columns. */
    renewalAmountCents: integer('renewal_amount_cents'),
    renewalCurrency: text('renewal_currency'),
    renewalMonths: integer('renewal_months'),
    renewsAt: time('renews_at'),
    graceUntil: time('grace_until'),
    /** The due date of the last announced charge. */
    noticedFor: time('noticed_for'),
    /** When the provider was last polled for an unreported charge. */
    chargeAskedAt: time('charge_asked_at'),
    consentLocale: text('consent_locale', { enum: LOCALES }),
    /** Token of the email link that cancels the renewal without a sign-in; null if the term never renewed. */
    cancelToken: text('cancel_token'),
    endedAt: time('ended_at'),
  },
  (table) => [
    uniqueIndex('subscriptions_running').on(table.accountId).where(sql`ended_at IS NULL`),
    index('subscriptions_end').on(table.periodEnd).where(sql`ended_at IS NULL`),
    index('subscriptions_renews').on(table.renewsAt).where(sql`ended_at IS NULL AND renews_at IS NOT NULL`),
    index('subscriptions_unasked')
      .on(table.renewalStatus)
      .where(
        sql`mandate IS NOT NULL AND charge_asked_at IS NULL AND renewal_status IN ('cancelling', 'ended')`,
      ),
    index('subscriptions_account').on(table.accountId, table.startedAt),
    uniqueIndex('subscriptions_cancel_token').on(table.cancelToken),
    uniqueIndex('subscriptions_mandate').on(table.provider, table.mandate),
  ],
)

/** Transitions of terms, one row each. The primary key allows only one of two concurrent transitions. */
export const subscriptionTransitions = sqliteTable(
  'subscription_moves',
  {
    subscriptionId: text('subscription_id').notNull(),
    number: integer('number').notNull(),
    renewalStatus: text('renewal_status', { enum: RENEWAL_STATES }).notNull(),
    reason: text('reason').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.subscriptionId, table.number] })],
)

/** Months of terms, with one allowance each. Delivered months never change; others can be withdrawn. */
export const termMonths = sqliteTable(
  'term_months',
  {
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id),
    /** Starts at 1, in order of purchase. Numbers are never reused. */
    number: integer('number').notNull(),
    accountId: integer('account_id').notNull(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    credits: integer('credits').notNull(),
    startsAt: time('starts_at').notNull(),
    endsAt: time('ends_at').notNull(),
    /** The ledger entry that delivered the month. */
    grantSequence: integer('grant_sequence'),
    /** The refund that withdrew the month. */
    withdrawnBy: text('withdrawn_by'),
  },
  (table) => [
    primaryKey({ columns: [table.subscriptionId, table.number] }),
    index('term_months_due')
      .on(table.accountId, table.startsAt)
      .where(sql`grant_sequence IS NULL AND withdrawn_by IS NULL`),
    index('term_months_start').on(table.startsAt).where(sql`grant_sequence IS NULL AND withdrawn_by IS NULL`),
    index('term_months_account').on(table.accountId, table.startsAt),
    index('term_months_order').on(table.orderId),
    check('term_months_positive', sql`${table.credits} > 0 AND ${table.endsAt} > ${table.startsAt}`),
    check('term_months_once', sql`${table.grantSequence} IS NULL OR ${table.withdrawnBy} IS NULL`),
  ],
)

/** The first monthly rate and allowance that an account paid for in a plan. They never change. */
export const priceLocks = sqliteTable(
  'price_locks',
  {
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    planId: integer('plan_id')
      .notNull()
      .references(() => plans.id),
    monthlyRateCents: integer('monthly_rate_cents').notNull(),
    creditsPerMonth: integer('credits_per_month').notNull(),
    lockedAt: time('locked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.planId] })],
)
