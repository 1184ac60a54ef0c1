/** The states of a refund request and the moves between them. Specification: Refund quote; purchase rule 9. */
export const REFUND_STATES = [
  'requested',
  'processing',
  'succeeded',
  'failed',
  'awaiting_payout',
  'rejected',
] as const
export type RefundState = (typeof REFUND_STATES)[number]

export const REFUND_REASONS = ['withdrawal', 'policy'] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/** A card's refund goes through its provider; a crypto order's waits for an administrator's transfer by hand. */
const MOVES: Record<RefundState, readonly RefundState[]> = {
  requested: ['processing', 'succeeded', 'failed'],
  processing: ['succeeded', 'failed'],
  awaiting_payout: ['succeeded', 'rejected'],
  succeeded: [],
  failed: [],
  rejected: [],
}

export function canMoveRefund(from: RefundState, to: RefundState): boolean {
  return MOVES[from].includes(to)
}
