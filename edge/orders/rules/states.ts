/** The states of an order and their transitions. Contract: Purchases, Order states. */
export const ORDER_KINDS = ['package', 'subscription'] as const

export const ORDER_STATES = [
  'waiting',
  'confirming',
  'paid',
  'partially_paid',
  'expired',
  'failed',
  'refused',
  'refunded',
  'partially_refunded',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** Late money still counts: an expired, failed, or refused order becomes paid when the money arrives. */
const TRANSITIONS: Record<OrderState, readonly OrderState[]> = {
  waiting: ['confirming', 'paid', 'partially_paid', 'expired', 'failed'],
  confirming: ['paid', 'partially_paid', 'expired', 'failed'],
  partially_paid: ['paid', 'refused'],
  expired: ['paid', 'partially_paid'],
  failed: ['paid', 'partially_paid'],
  paid: ['refunded', 'partially_refunded'],
  partially_refunded: ['refunded', 'partially_refunded'],
  refused: ['paid', 'partially_paid'],
  refunded: [],
}

export function canTransitionOrder(from: OrderState, to: OrderState): boolean {
  return TRANSITIONS[from].includes(to)
}

/** States in which an order can still be paid and its provider is polled. */
const OPEN_STATES: readonly OrderState[] = ['waiting', 'confirming', 'partially_paid']

export function isOpenOrder(status: OrderState): boolean {
  return OPEN_STATES.includes(status)
}
