/** How a term renews itself. Contract: Subscriptions, Renewal states. */
export const RENEWAL_STATES = ['off', 'active', 'past_due', 'paused', 'cancelling', 'ended'] as const
export type RenewalState = (typeof RENEWAL_STATES)[number]

/**
 * Moves of a mandate: a term bought without renewal is `off` until it ends;
 * the provider may pause a mandate and resume it; whoever is past due or paused may still cancel; and a
 * charge that lands, or a mandate that resumes, makes it active again. When the grace is over, the term ends
 * with its months: where some are in hand its renewal is cancelled first.
 */
const MOVES: Record<RenewalState, readonly RenewalState[]> = {
  off: ['ended'],
  active: ['past_due', 'paused', 'cancelling', 'ended'],
  past_due: ['active', 'paused', 'cancelling', 'ended'],
  paused: ['active', 'past_due', 'cancelling', 'ended'],
  cancelling: ['ended'],
  ended: [],
}

export function canMoveRenewal(from: RenewalState, to: RenewalState): boolean {
  return MOVES[from].includes(to)
}
