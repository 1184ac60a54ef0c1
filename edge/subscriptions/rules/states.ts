/** Renewal states of a term. Contract: Subscriptions, Renewal states. */
export const RENEWAL_STATES = ['off', 'active', 'past_due', 'paused', 'cancelling', 'ended'] as const
export type RenewalState = (typeof RENEWAL_STATES)[number]

/**
 * Transitions of a renewal. A term without renewal stays `off` until it ends. A provider can pause and resume a
 * mandate; the owner can cancel it even while it is past due or paused. A successful charge or a resumption
 * reactivates it. After the grace period, the renewal is canceled and the term ends with its paid months.
 */
const TRANSITIONS: Record<RenewalState, readonly RenewalState[]> = {
  off: ['ended'],
  active: ['past_due', 'paused', 'cancelling', 'ended'],
  past_due: ['active', 'paused', 'cancelling', 'ended'],
  paused: ['active', 'past_due', 'cancelling', 'ended'],
  cancelling: ['ended'],
  ended: [],
}

export function canTransitionRenewal(from: RenewalState, to: RenewalState): boolean {
  return TRANSITIONS[from].includes(to)
}
