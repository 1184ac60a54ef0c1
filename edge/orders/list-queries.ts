import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../platform/database/client.ts'
import { type FilteredList, readPage } from '../platform/database/filtered-list.ts'
import type { Page, Span } from '../platform/rules/paging.ts'
import { LISTED_RECEIPT, type ListedReceipt } from '../receipts/queries.ts'
import { accounts, orders, receipts } from '../tables.ts'
import type { StoredOrder } from './queries.ts'
import type { OrderState } from './rules/states.ts'
import { hasSurplus } from './tables.ts'

/** Selects orders. An empty filter selects those of all accounts. */
export interface OrderFilter {
  account_id?: number | undefined
  status?: OrderState | undefined
  /** True selects orders with a surplus that waits for an administrator. */
  has_surplus?: boolean | undefined
}

/** Returns the list of the orders that match a filter. */
export function filterOrders({ account_id, status, has_surplus }: OrderFilter): FilteredList<typeof orders> {
  return {
    table: orders,
    indexed: and(
      account_id === undefined ? undefined : eq(orders.accountId, account_id),
      status && eq(orders.status, status),
      has_surplus ? hasSurplus : undefined,
    ),
    scanned_max: 20_000,
  }
}

/** Further receipts of an order, in order of time. */
const FURTHER_RECEIPTS = sql`(
  SELECT json_group_array(json_object('series', series, 'number', number, 'token', token)) FROM (
    SELECT series, number, token FROM receipts
    WHERE order_id = ${orders.id} AND refund_id IS NULL AND earlier_cents > 0 ORDER BY earlier_cents))`.mapWith(
  (text): ListedReceipt[] => JSON.parse(text),
)

/** An order as lists show it. */
export interface ListedOrder {
  order: StoredOrder
  receipt: ListedReceipt | null
  further: ListedReceipt[]
}

/** Selects orders with the email addresses of their accounts, by a query of their ids, newest first. */
export function paymentsQuery(db: Database, ids: SQL) {
  return db
    .select({
      order: orders,
      email: accounts.email,
      receipt: LISTED_RECEIPT,
      further: FURTHER_RECEIPTS,
    })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .leftJoin(
      receipts,
      and(eq(receipts.orderId, orders.id), isNull(receipts.refundId), eq(receipts.earlierCents, 0)),
    )
    .where(sql`${orders.id} IN (${ids})`)
    .orderBy(desc(orders.createdAt), desc(orders.id))
}

export function placeOfPayment({ order: { id, createdAt } }: { order: StoredOrder }) {
  return { at: createdAt, id }
}

/** Reads a page of orders with the email addresses of their accounts, newest first. */
export function readPaymentsPage(
  db: Database,
  filter: OrderFilter,
  span: Span,
): Promise<Page<ListedOrder & { email: string }>> {
  return readPage(db, filterOrders(filter), span, {
    select: (ids) => paymentsQuery(db, ids),
    placeOf: (row) => placeOfPayment(row),
  })
}
