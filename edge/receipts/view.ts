import type { Deps } from '../deps.ts'
import type { ListedReceipt } from './queries.ts'
import { receiptUrl } from './rules/receipt-link.ts'
import { formatNumber } from './rules/series.ts'

/** Returns the number and URL of a receipt or credit note; null where there is none. */
export function viewReceipt({ env }: Pick<Deps, 'env'>, receipt: ListedReceipt | null) {
  if (receipt === null) return { number: null, url: null }
  return { number: formatNumber(receipt), url: receiptUrl(env.PUBLIC_URL, receipt.token) }
}
