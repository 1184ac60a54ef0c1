import type { Locale } from '../../shared/text/texts.ts'
import type { Deps } from '../deps.ts'
import { sellerOf } from '../environment/seller.ts'
import type { StoredOrder } from '../orders/queries.ts'
import type { Bought } from '../orders/rules/delivery.ts'
import type { TaxedTotal } from '../payments/rules/taxed-total.ts'
import type { Statement } from '../platform/database/client.ts'
import type { StoredRefund } from '../refunds/queries.ts'
import { issueStatements, type StoredReceipt } from './queries.ts'
import { type BillingDetails, listItems, NO_DETAILS } from './rules/content.ts'
import { formatNumber, seriesOf } from './rules/series.ts'

type IssueDeps = Pick<Deps, 'db' | 'databases' | 'env' | 'payments'>

/** An account as its receipts name it. */
export interface Buyer {
  email: string
  full_name: string | null
  locale: Locale
  details: BillingDetails | null
}

/** A receipt or credit note that is issued in a commit. */
export interface Issued {
  token: string
  statements: Statement[]
}

/** Issues the receipt of a paid order, in the commit of the payment. */
export function issueReceipt(
  deps: IssueDeps,
  order: StoredOrder,
  { buyer, bought, paid_cents, now }: { buyer: Buyer; bought: Bought; paid_cents: number; now: number },
): Issued {
  const details = buyer.details ?? NO_DETAILS
  return issue(deps, 'receipt', {
    accountId: order.accountId,
    orderId: order.id,
    refundId: null,
    earlierCents: 0,
    locale: order.consentLocale ?? buyer.locale,
    content: {
      seller: sellerOf(deps.env),
      reseller: deps.payments.find(({ name }) => name === order.provider)?.reseller ?? null,
      buyer: { ...details, name: details.name ?? buyer.full_name, email: buyer.email },
      order_id: order.id,
      reference: order.providerReference,
      lines: listItems(order, bought),
      amount_cents: Math.min(paid_cents, order.amountCents),
      currency: order.currency,
      charged: chargedOf(order),
      receipt_number: null,
      further_to: null,
    },
    issuedAt: now,
  })
}

function chargedOf({ totalCents, taxCents, totalCurrency }: StoredOrder): TaxedTotal | null {
  if (totalCents === null || taxCents === null || totalCurrency === null) return null
  return { total_cents: totalCents, tax_cents: taxCents, currency: totalCurrency }
}

/** Money that counts for a delivered order in addition to that of its earlier receipts, and what it buys. */
export interface FurtherPayment {
  earlier_cents: number
  amount_cents: number
  credits: number
}

/**
 * Issues a receipt of a further payment for a delivered order, with the buyer and seller of its first receipt. Returns
 * null if nothing more counts.
 * @param issued the receipts of the order.
 */
export function issueFurtherReceipt(
  deps: IssueDeps,
  issued: readonly StoredReceipt[],
  order: StoredOrder,
  { earlier_cents, amount_cents, credits }: FurtherPayment,
  now: number,
): Issued | null {
  const [first] = receiptsOf(issued)
  if (first === undefined || amount_cents === 0) return null
  return issue(deps, 'receipt', {
    accountId: order.accountId,
    orderId: order.id,
    refundId: null,
    earlierCents: earlier_cents,
    locale: first.locale,
    content: {
      ...first.content,
      lines: [{ name: order.itemName, credits, months: null, amount_cents }],
      amount_cents,
      charged: null,
      further_to: formatNumber(first),
    },
    issuedAt: now,
  })
}

/** Returns the receipts of an order without its credit notes, the first one first. */
function receiptsOf(issued: readonly StoredReceipt[]): StoredReceipt[] {
  return issued
    .filter(({ refundId }) => refundId === null)
    .toSorted((one, other) => one.earlierCents - other.earlierCents)
}

/**
 * Issues the credit note of a refund, in the commit in which it succeeds. Returns null if nothing is paid back.
 * @param issued the receipts of its order.
 */
export function issueCreditNote(
  deps: IssueDeps,
  issued: readonly StoredReceipt[],
  { refund, returned, now }: { refund: StoredRefund; returned: TaxedTotal | null; now: number },
): Issued | null {
  const own = receiptsOf(issued)
  const [receipt] = own
  // A withdrawal after everything was spent pays nothing back.
  if (receipt === undefined || refund.amountCents === 0) return null
  return issue(deps, 'credit_note', {
    accountId: refund.accountId,
    orderId: refund.orderId,
    refundId: refund.id,
    earlierCents: 0,
    locale: receipt.locale,
    content: {
      ...receipt.content,
      reference: refund.providerReference,
      lines: [],
      amount_cents: refund.amountCents,
      currency: refund.currency,
      charged: returned,
      receipt_number: own.map(formatNumber).join(', '),
    },
    issuedAt: now,
  })
}

function issue(
  { db, databases }: IssueDeps,
  kind: 'receipt' | 'credit_note',
  receipt: Omit<StoredReceipt, 'series' | 'number' | 'token'>,
): Issued {
  const series = seriesOf(kind, databases.indexOf(db))
  const token = crypto.randomUUID()
  return { token, statements: issueStatements(db, { ...receipt, series, token }) }
}
