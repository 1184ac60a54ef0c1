import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { orders } from '../orders/tables.ts'
import { time } from '../platform/database/columns.ts'
import { REFUND_REASONS, REFUND_STATES } from './rules/refunds.ts'

export const refunds = sqliteTable(
  'refunds',
  {
    id: text('id').primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    status: text('status', { enum: REFUND_STATES }).notNull(),
    transitions: integer('moves').notNull().default(1),
    reason: text('reason', { enum: REFUND_REASONS }).notNull(),
    /** 0 for a withdrawal from an order of which nothing is left to refund. */
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    /** Credits that the request removed from the balance; 0 again once a failed refund has returned them. */
    creditsRemoved: integer('credits_removed').notNull(),
    /** Credits of undelivered months; 0 again once they have been returned. */
    creditsWithdrawn: integer('credits_withdrawn').notNull(),
    note: text('note'),
    providerReference: text('provider_reference'),
    /** Receives the outcome if the account was deleted; null otherwise, and once the refund has ended. */
    email: text('email'),
    createdAt: time('created_at').notNull(),
    finishedAt: time('finished_at'),
    /** When to poll the provider next; null once the refund is settled. */
    nextPollAt: time('next_poll_at'),
  },
  (table) => [
    index('refunds_account').on(table.accountId, table.createdAt),
    index('refunds_reference').on(table.providerReference),
    index('refunds_poll').on(table.nextPollAt).where(sql`next_poll_at IS NOT NULL`),
    uniqueIndex('refunds_open')
      .on(table.orderId)
      .where(sql`status IN ('requested', 'processing', 'awaiting_payout')`),
    check('refunds_amount', sql`${table.amountCents} >= 0`),
  ],
)

export const refundTransitions = sqliteTable(
  'refund_moves',
  {
    refundId: text('refund_id').notNull(),
    number: integer('number').notNull(),
    status: text('status', { enum: REFUND_STATES }).notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.refundId, table.number] })],
)

/** Statements of withdrawal. They are previewed first and confirmed in a second step. */
export const withdrawals = sqliteTable(
  'withdrawals',
  {
    id: text('id').primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    accountId: integer('account_id').notNull(),
    /** The full statement, in the language in which it was shown. */
    statement: text('statement').notNull(),
    statedAt: time('stated_at').notNull(),
    confirmedAt: time('confirmed_at'),
    refundId: text('refund_id').references(() => refunds.id),
  },
  (table) => [index('withdrawals_account').on(table.accountId, table.statedAt)],
)
