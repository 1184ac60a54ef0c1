import { type Change, type Credits, grant, unchanged } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { issueFurtherReceipt } from '../receipts/issue.ts'
import { notDeletedGuard } from './deliver.ts'
import type { PaymentFacts } from './load-payment.ts'
import { surplusEffects } from './payment-emails.ts'
import { changeOrderStatement, type StoredOrder } from './queries.ts'
import { creditsForSurplus } from './rules/delivery.ts'
import { surplusCents, usableCents } from './rules/payment.ts'

const RETURNED = { credits: null, receipt_token: null }

interface SettledSurplus {
  order: StoredOrder
  change: Change
  statements: Statement[]
  effects: Effect[]
  credits: number
}

/**
 * Settles the surplus of an order: adds credits for it at the price of the order, or records that it was paid back
 * by hand, so that it no longer counts. Only what is kept has a receipt. Throws 409 if there is no surplus, or if it buys no credit that can be used.
 */
export function settleSurplus(
  deps: Deps,
  action: 'credit_surplus' | 'return_surplus',
  { order, delivery: to, issued }: Pick<PaymentFacts, 'order' | 'delivery' | 'issued'>,
  settled: Credits,
  now: number,
): SettledSurplus {
  const surplus = surplusCents(order)
  if (surplus === 0) throw new ApiError('order_has_no_surplus')
  if (action === 'return_surplus') {
    const fields = { refusedCents: order.refusedCents + surplus }
    return {
      order: { ...order, ...fields },
      change: unchanged(settled),
      statements: [changeOrderStatement(deps.db, order.id, fields)],
      effects: surplusEffects(deps, order, to, RETURNED, now),
      credits: 0,
    }
  }
  if (to.is_deleted) throw new ApiError('account_deleted')
  const credits = creditsForSurplus(order, surplus)
  if (credits === 0) throw new ApiError('payment_below_one_credit')
  const receipt = issueFurtherReceipt(
    deps,
    issued,
    order,
    { earlier_cents: usableCents(order), amount_cents: surplus, credits },
    now,
  )
  const fields = { surplusCreditedCents: order.surplusCreditedCents + surplus }
  return {
    order: { ...order, ...fields },
    change: grant(settled, {
      kind: 'purchase',
      amount: credits,
      expires_at: null,
      order_id: order.id,
      cause: `order:${order.id}:surplus:${usableCents(order) + surplus}`,
    }),
    statements: [
      notDeletedGuard(deps.db, order.accountId),
      changeOrderStatement(deps.db, order.id, fields),
      ...(receipt?.statements ?? []),
    ],
    effects: surplusEffects(deps, order, to, { credits, receipt_token: receipt?.token ?? null }, now),
    credits,
  }
}
