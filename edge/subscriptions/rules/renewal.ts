import { DAY_MS } from '../../platform/rules/days.ts'
import type { RenewalState } from './states.ts'
import { accessEnd, CHARGE_PATIENCE_MS, type TermState } from './terms.ts'

/**
 * Decides how charges, the owner, the provider and the passage of time change a term's renewal. Pure: each function
 * returns what to write, or null. Contract: Subscriptions, Renewal states; Renewal rules.
 */
export interface RenewingTerm extends TermState {
  /** When the mandate is charged next; null if there is no mandate. */
  renews_at: number | null
}

/** A term after a transition. If `ends_mandate` is true, the provider must stop charging. */
export interface TermTransition {
  renewal_status: RenewalState
  renews_at: number | null
  grace_until: number | null
  ended_at: number | null
  ends_mandate: boolean
}

/** States in which a term has a mandate that can be charged. */
export const RENEWING: readonly RenewalState[] = ['active', 'past_due', 'paused']

export function isRenewing({ renewal_status }: Pick<TermState, 'renewal_status'>): boolean {
  return RENEWING.includes(renewal_status)
}

/** Returns a transition that leaves a term's state unchanged, for example when months were added. */
export function keepTerm({ renewal_status, renews_at, grace_until }: RenewingTerm): TermTransition {
  return { renewal_status, renews_at, grace_until, ended_at: null, ends_mandate: false }
}

/**
 * Applies a successful charge. Earlier failures are resolved, and the next charge is due one cycle after this one
 * was due, as it is at the provider. If the mandate was ended concurrently, only the payment counts, and the
 * mandate is ended again.
 */
export function applyCharge(term: RenewingTerm, cycle_ms: number): TermTransition {
  if (!isRenewing(term)) return { ...keepTerm(term), ends_mandate: true }
  const renews_at = (term.renews_at ?? term.period_end) + cycle_ms
  return { ...keepTerm(term), renewal_status: 'active', renews_at, grace_until: null }
}

/** Applies a failed or missing charge. Access continues for the grace period after the due date. */
export function failCharge(term: RenewingTerm, grace_days: number): TermTransition | null {
  if (term.renewal_status !== 'active' && term.renewal_status !== 'paused') return null
  const grace_until = (term.renews_at ?? term.period_end) + grace_days * DAY_MS
  return { ...keepTerm(term), renewal_status: 'past_due', grace_until }
}

/** Ends the mandate, regardless of who requested it. Paid months stay. Contract: Purchase rule 8. */
export function endMandate(term: RenewingTerm): TermTransition | null {
  if (!isRenewing(term)) return null
  return { ...keepTerm(term), renewal_status: 'cancelling', renews_at: null, ends_mandate: true }
}

/** Applies a pause by the provider. */
export function pauseMandate(term: RenewingTerm): TermTransition | null {
  if (term.renewal_status !== 'active' && term.renewal_status !== 'past_due') return null
  return { ...keepTerm(term), renewal_status: 'paused' }
}

export function resumeMandate(term: RenewingTerm): TermTransition | null {
  return term.renewal_status === 'paused' ? { ...keepTerm(term), renewal_status: 'active' } : null
}

/** Closes an ended term. The recorded end is the end of its access, no matter how late it is closed. */
export function closeTerm(term: RenewingTerm, now: number): TermTransition {
  return {
    renewal_status: 'ended',
    renews_at: null,
    grace_until: term.grace_until,
    ended_at: Math.min(now, accessEnd(term)),
    ends_mandate: isRenewing(term),
  }
}

/**
 * Advances a term as time passes: a missing charge counts as failed, nothing renews after the grace period, and the
 * term closes after its last month.
 */
export function advanceTerm(term: RenewingTerm, grace_days: number, now: number): TermTransition | null {
  const isMissing = term.renews_at !== null && term.renews_at + CHARGE_PATIENCE_MS <= now
  if (term.renewal_status === 'active') return isMissing ? failCharge(term, grace_days) : null
  if (accessEnd(term) <= now) return closeTerm(term, now)
  const isGraceOver = term.grace_until !== null && term.grace_until <= now
  return term.renewal_status === 'past_due' && isGraceOver ? endMandate(term) : null
}

export interface NoticeSettings {
  subscriptions_renewal_notice_days_annual: number
  subscriptions_renewal_notice_days_short: number
}

/** Cycles of at least this many months get the longer notice. */
export const LONG_CYCLE_MONTHS = 12

/**
 * Returns how long before a charge its notice is sent. This is at most one cycle. Contract: Notifications, Renewal
 * notice.
 */
export function noticePeriodMs(
  { months, period_days }: { months: number; period_days: number },
  settings: NoticeSettings,
): number {
  const days =
    months >= LONG_CYCLE_MONTHS
      ? settings.subscriptions_renewal_notice_days_annual
      : settings.subscriptions_renewal_notice_days_short
  return Math.min(days, months * period_days) * DAY_MS
}

interface NoticedTerm extends RenewingTerm {
  /** The due date of the last announced charge. */
  noticed_for: number | null
}

/**
 * Checks whether a notice is due. It is sent once per charge, before the charge, and only while the renewal is
 * active.
 */
export function isNoticeDue(term: NoticedTerm, period_ms: number, now: number): boolean {
  const { renewal_status, renews_at, noticed_for } = term
  if (renewal_status !== 'active' || renews_at === null || noticed_for === renews_at) return false
  return renews_at - period_ms <= now && now < renews_at
}
