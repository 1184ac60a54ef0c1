import { settleAccount } from '../credits/change-credits.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { type DueRefund, findDueRefunds, loadRefundable, viewDueRefunds } from '../refunds/refund-all.ts'
import type { Settings } from '../settings/rules/settings.ts'
import { addUpByCurrency } from './rules/deletion.ts'

/** Throws 409 with the amounts if a refund is due and the owner has not chosen what happens to it. */
export async function requireChoice(
  deps: Deps,
  id: number,
  settings: Settings,
  { refund }: { refund?: string | undefined },
): Promise<void> {
  // Delivers due months first, so each month is either delivered or still in the future.
  const credits = await settleAccount(deps, id)
  if (refund !== undefined) return
  const orders = await loadRefundable(deps, id, settings)
  const due = findDueRefunds(orders, credits, settings, deps.clock.now())
  if (due.length > 0) throw refundDue(deps, due)
}

/** Returns the 409 that names what a deletion would forfeit, and the ways on. */
export function refundDue(deps: Deps, due: readonly DueRefund[]): ApiError {
  const refunds = viewDueRefunds(deps, due)
  const totals = addUpByCurrency(refunds)
  const [total, ...others] = totals
  const only = others.length === 0 ? total : undefined
  const sum = { amount_cents: only?.amount_cents, currency: only?.currency }
  return new ApiError('refund_due', { totals, ...sum, refunds, choices: ['request', 'waive'] })
}
