import { z } from 'zod'
import type { Effect } from '../platform/outbox/queries.ts'

const PayoutRequest = z.object({ refund_id: z.string() })

/** The refund is to be paid back by its provider. */
export function payoutEffect(refund_id: string): Effect {
  return { id: `refund:${refund_id}`, kind: 'refund', payload: { refund_id } }
}

/** @returns the refund's id. */
export function readPayout(payload: unknown): string {
  return PayoutRequest.parse(payload).refund_id
}
