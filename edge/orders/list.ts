import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { Span } from '../platform/rules/paging.ts'
import { receiptUrl } from '../receipts/rules/receipt-link.ts'
import { formatNumber } from '../receipts/rules/series.ts'
import { viewReceipt } from '../receipts/view.ts'
import { type ListedOrder, readPaymentsPage } from './list-queries.ts'

/** Lists the account's orders, newest first, including orders that were never paid. Contract: Purchases, Orders. */
export async function showOrders(deps: Deps, { account }: SessionCaller, span: Span) {
  const { rows, next } = await readPaymentsPage(deps.db, { account_id: account.id }, span)
  return { rows: rows.map((row) => viewOrder(deps, row)), next }
}

export function viewOrder(deps: Pick<Deps, 'env'>, { order, receipt: first, further }: ListedOrder) {
  const receipt = viewReceipt(deps, first)
  return {
    order_id: order.id,
    kind: order.kind,
    item_name: order.itemName,
    credits: order.credits,
    months: order.months,
    extends_term: order.extendsTerm,
    amount_cents: order.amountCents,
    currency: order.currency,
    actually_paid_cents: order.actuallyPaidCents,
    total_cents: order.totalCents,
    tax_cents: order.taxCents,
    total_currency: order.totalCurrency,
    status: order.status,
    credited_at: isoTime(order.creditedAt),
    bundle_item_name: order.bundleItemName,
    bundle_credits: order.bundleCredits,
    bundle_amount_cents: order.bundleAmountCents,
    bundle_discount_pct: order.bundleDiscountPct,
    provider: order.provider,
    auto_renew: order.autoRenew,
    created_at: isoTime(order.createdAt),
    receipt_number: receipt.number,
    receipt_url: receipt.url,
    further_receipts: further.map((each) => ({
      receipt_number: formatNumber(each),
      receipt_url: receiptUrl(deps.env.PUBLIC_URL, each.token),
    })),
  }
}
