import type { Deps } from '../deps.ts'
import type { ListedReceipt } from './queries.ts'
import { formatNumber } from './rules/series.ts'

/** Returns the public URL of a receipt or credit note. */
export function receiptUrl({ PUBLIC_URL }: Deps['env'], token: string): string {
  return `${PUBLIC_URL}/api/v1/billing/receipts/${token}`
}

/** Returns the number and URL of a receipt or credit note; null where there is none. */
export function viewReceipt({ env }: Pick<Deps, 'env'>, receipt: ListedReceipt | null) {
  if (receipt === null) return { number: null, url: null }
  return { number: formatNumber(receipt), url: receiptUrl(env, receipt.token) }
}
