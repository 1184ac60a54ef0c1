import { z } from 'zod'
import type { Effect } from '../platform/outbox/queries.ts'

const PayoutRequest = z.object({ refund_id: z.string() })

/** Returns the effect that asks the provider to pay a refund. */
export function payoutEffect(refund_id: string): Effect {
  return { id: `refund:${refund_id}`, kind: 'refund', payload: { refund_id } }
}

/** Returns the refund id from an effect. */
export function readPayout(payload: unknown): string {
  return PayoutRequest.parse(payload).refund_id
}
