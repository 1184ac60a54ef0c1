import { eq, inArray, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { accounts, billingDetails, orders, receiptSeries, receipts, refunds } from '../tables.ts'
import { type BillingDetails, NO_DETAILS } from './rules/content.ts'

export type StoredReceipt = typeof receipts.$inferSelect

const DETAILS = {
  name: billingDetails.name,
  address: billingDetails.address,
  postal_code: billingDetails.postalCode,
  city: billingDetails.city,
  country: billingDetails.country,
  vat_id: billingDetails.vatId,
}

/** Selects what the receipt of an account's next payment says about the buyer. */
export function buyerQuery(db: Database, accountId: number) {
  return db
    .select({
      email: accounts.email,
      full_name: accounts.fullName,
      locale: accounts.locale,
      deletedAt: accounts.deletedAt,
      details: DETAILS,
    })
    .from(accounts)
    .leftJoin(billingDetails, eq(billingDetails.accountId, accounts.id))
    .where(eq(accounts.id, accountId))
}

export async function findBillingDetails(db: Database, accountId: number): Promise<BillingDetails> {
  const [row] = await db.select(DETAILS).from(billingDetails).where(eq(billingDetails.accountId, accountId))
  return row ?? NO_DETAILS
}

export function saveDetailsStatement(db: Database, accountId: number, details: BillingDetails): Statement {
  const { postal_code, vat_id, ...rest } = details
  const values = { ...rest, postalCode: postal_code, vatId: vat_id }
  return db
    .insert(billingDetails)
    .values({ accountId, ...values })
    .onConflictDoUpdate({ target: billingDetails.accountId, set: values })
}

export function deleteDetailsStatement(db: Database, accountId: number): Statement {
  return db.delete(billingDetails).where(eq(billingDetails.accountId, accountId))
}

/**
 * Issues a receipt with the next number of its series. Both statements belong into the commit of the payment or refund:
 * if it fails, the number is not used, and concurrent commits are carried out one after another.
 */
export function issueStatements(db: Database, receipt: Omit<StoredReceipt, 'number'>): Statement[] {
  const { series } = receipt
  return [
    db
      .insert(receiptSeries)
      .values({ series, last: 1 })
      .onConflictDoUpdate({ target: receiptSeries.series, set: { last: sql`${receiptSeries.last} + 1` } }),
    db.insert(receipts).values({
      ...receipt,
      number: sql`(SELECT last FROM receipt_series WHERE series = ${series})`,
    }),
  ]
}

/** Selects the receipt and the credit notes of an order. */
export function receiptsQuery(db: Database, orderId: string) {
  return db.select().from(receipts).where(eq(receipts.orderId, orderId))
}

/** Selects the receipt and the credit notes of the order of a refund. */
export function receiptsOfRefundQuery(db: Database, refundId: string) {
  const order = db.select({ id: refunds.orderId }).from(refunds).where(eq(refunds.id, refundId))
  return db.select().from(receipts).where(inArray(receipts.orderId, order))
}

/** Returns a receipt with its order. */
export async function findReceipt(db: Database, token: string) {
  const [row] = await db
    .select({ receipt: receipts, order: orders })
    .from(receipts)
    .innerJoin(orders, eq(orders.id, receipts.orderId))
    .where(eq(receipts.token, token))
  return row
}

/** What lists of orders and refunds show of a receipt. */
export type ListedReceipt = Pick<StoredReceipt, 'series' | 'number' | 'token'>

/** The columns of a receipt that lists of orders and refunds show. */
export const LISTED_RECEIPT = { series: receipts.series, number: receipts.number, token: receipts.token }
