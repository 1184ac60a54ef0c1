import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { LOCALES } from '../../shared/text/texts.ts'
import { accounts } from '../accounts/tables.ts'
import { orders } from '../orders/tables.ts'
import { json, time } from '../platform/database/columns.ts'
import { refunds } from '../refunds/tables.ts'
import type { ReceiptContent } from './rules/content.ts'

/** Receipts of paid orders, and credit notes of refunds. Never changed or deleted, which triggers ensure. */
export const receipts = sqliteTable(
  'receipts',
  {
    series: text('series').notNull(),
    /** Without gaps within its series. */
    number: integer('number').notNull(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** The refund of a credit note; null for a receipt. */
    refundId: text('refund_id').references(() => refunds.id),
    /** The money of the order that earlier receipts cover: 0 for the first one, and for a credit note. */
    earlierCents: integer('earlier_cents').notNull().default(0),
    /** Random. Everyone who has it can read the receipt. */
    token: text('token').notNull().unique(),
    locale: text('locale', { enum: LOCALES }).notNull(),
    content: json('content').$type<ReceiptContent>().notNull(),
    issuedAt: time('issued_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.series, table.number] }),
    index('receipts_account').on(table.accountId, table.issuedAt),
    uniqueIndex('receipts_order').on(table.orderId, table.earlierCents).where(sql`refund_id IS NULL`),
    uniqueIndex('receipts_refund').on(table.refundId),
  ],
)

/** The last number of each series, which advances in the commit that uses it. */
export const receiptSeries = sqliteTable('receipt_series', {
  series: text('series').primaryKey(),
  last: integer('last').notNull(),
})

/** Numbers that no receipt here has, because receipts of a time that a restored backup lacks may have them. */
export const receiptGaps = sqliteTable(
  'receipt_gaps',
  {
    series: text('series').notNull(),
    first: integer('first').notNull(),
    last: integer('last').notNull(),
    restoredAt: time('restored_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.series, table.first] })],
)

/** What an account wants its receipts to say about the buyer. */
export const billingDetails = sqliteTable('billing_details', {
  accountId: integer('account_id')
    .primaryKey()
    .references(() => accounts.id),
  name: text('name'),
  address: text('address'),
  postalCode: text('postal_code'),
  city: text('city'),
  country: text('country'),
  vatId: text('vat_id'),
})
