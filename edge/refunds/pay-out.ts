import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import type { PaymentProvider, RefundEvent, RefundRequest } from '../payments/provider.ts'
import { refuses } from '../payments/request.ts'
import { settleAll } from '../platform/settle-all.ts'
import { findProvider, paysByHand } from './find-provider.ts'
import { paidBack, transitionRefund } from './handle-event.ts'
import { claimDueRefunds, refundQuery, type StoredRefund } from './queries.ts'

/**
 * Asks the provider to pay a refund; the outbox retries until the provider responds. Repeating the request is safe,
 * because the provider pays each refund only once. A permanent refusal fails the refund. Throws if the provider is
 * unreachable.
 */
export async function payRefund(deps: Deps, refundId: string): Promise<void> {
  const [row] = await refundQuery(deps.db, refundId)
  if (row === undefined || row.refund.status !== 'requested') return
  const { refund, order } = row
  const provider = findProvider(deps, order.provider)
  if (provider === undefined || paysByHand(deps, order.provider) || order.providerReference === null) {
    return waitForPayout(deps, refund, order.provider)
  }
  const reported = await askForRefund(provider, {
    refund_id: refund.id,
    order_id: order.id,
    reference: order.providerReference,
    amount_cents: refund.amountCents,
    whole: refund.amountCents === order.actuallyPaidCents,
    currency: refund.currency,
    reason: refund.reason,
  })
  if (reported === null) await transitionRefund(deps, refund, 'failed')
  else await transitionRefund(deps, refund, reported.state, paidBack(reported))
}

/** Leaves the payout to an administrator if the provider is no longer configured, because retrying would not help. */
async function waitForPayout(deps: Deps, refund: StoredRefund, provider: string): Promise<void> {
  const { changed } = await transitionRefund(deps, refund, 'awaiting_payout')
  if (!changed) return
  const message = `${provider} cannot pay the refund ${refund.id}; it requires a manual payout`
  reportUnforeseen(new Error(message), { task: `pay the refund ${refund.id}` })
}

/**
 * Requests the payout. Returns null if the provider refuses it permanently, because a retry would get the same
 * response.
 */
async function askForRefund(provider: PaymentProvider, request: RefundRequest): Promise<RefundEvent | null> {
  try {
    return await provider.refund(request)
  } catch (error) {
    if (!refuses(error)) throw error
    reportUnforeseen(error, { task: `pay the refund ${request.refund_id}` })
    return null
  }
}

const ROWS_MAX = 50

/** Polls providers for refunds without recent events. */
export async function pollRefunds(deps: Deps): Promise<void> {
  const due = await claimDueRefunds(deps.db, deps.clock.now(), ROWS_MAX)
  await settleAll(
    due.map(async (refund) => {
      const [row] = await refundQuery(deps.db, refund.id)
      const provider = row && findProvider(deps, row.order.provider)
      if (!provider || refund.providerReference === null) return
      const reported = await provider.findRefund(refund.providerReference)
      if (reported) await transitionRefund(deps, refund, reported.state, paidBack(reported))
    }),
  )
}
