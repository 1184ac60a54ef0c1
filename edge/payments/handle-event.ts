import type { Deps } from '../deps.ts'
import { handlePayment } from '../orders/handle-payment.ts'
import { handleDispute } from '../refunds/handle-dispute.ts'
import { handleRefundEvent } from '../refunds/handle-event.ts'
import { handleMandateEvent, handleRenewal } from '../subscriptions/handle-event.ts'
import { atPayment } from './at-payment.ts'
import type { PaymentProvider, VerifiedEvent } from './provider.ts'

/**
 * Handles a verified event of a payment provider. Events that nothing depends on are accepted, and so are repeated
 * ones. Throws if the commit fails; the provider then retries.
 */
export async function handleProviderEvent(
  received: Deps,
  provider: PaymentProvider,
  verified: VerifiedEvent,
): Promise<unknown> {
  const { reported, event_id } = verified
  // Nothing depends on this type of event.
  if (reported === null) return
  const deps = await atPayment(received, provider.name, reported)
  switch (reported.kind) {
    case 'payment':
      return handlePayment(deps, provider, reported, { id: event_id, occurred_at: verified.occurred_at })
    case 'refund':
      return handleRefundEvent(deps, provider.name, reported)
    case 'dispute':
      return handleDispute(deps, provider, { ...verified, reported })
    case 'renewal':
      return handleRenewal(deps, provider, { ...verified, reported })
    case 'mandate':
      return handleMandateEvent(deps, provider, { ...verified, reported })
  }
}
