import type { RenewalState } from './renewals.ts'
import { accessEnd, type TermState } from './terms.ts'

/** In these a mandate stands behind a term, and may be charged. */
const RENEWING: readonly RenewalState[] = ['active', 'past_due', 'paused']

export function isRenewing(status: RenewalState): boolean {
  return RENEWING.includes(status)
}

/** When a term that is over ended: as its access did, however late that is noticed. */
export function endedAt(term: TermState, now: number): number {
  return Math.min(now, accessEnd(term))
}
