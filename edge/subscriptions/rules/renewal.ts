import { DAY_MS } from '../../platform/rules/days.ts'
import type { RenewalState } from './states.ts'
import { accessEnd, CHARGE_PATIENCE_MS, type TermState } from './terms.ts'

/**
 * Decides how charges, the owner, the provider and time change the renewal of a term. Pure; each function
 * returns what to write, or null.
 * Contract: Subscriptions, Renewal states; Renewal rules.
 */
export interface RenewingTerm extends TermState {
  /** Next charge of the mandate; null without one. */
  renews_at: number | null
}

/** A term after a transition. `ends_mandate`: the provider must stop charging. */
export interface TermTransition {
  renewal_status: RenewalState
  renews_at: number | null
  grace_until: number | null
  ended_at: number | null
  ends_mandate: boolean
}

/** States in which a term has a mandate that may be charged. */
export const RENEWING: readonly RenewalState[] = ['active', 'past_due', 'paused']

export function isRenewing({ renewal_status }: Pick<TermState, 'renewal_status'>): boolean {
  return RENEWING.includes(renewal_status)
}

/** Returns an unchanged term to which months were added. */
export function keepTerm({ renewal_status, renews_at, grace_until }: RenewingTerm): TermTransition {
  return { renewal_status, renews_at, grace_until, ended_at: null, ends_mandate: false }
}

/**
 * Applies a successful charge: earlier failures are resolved, and the next charge is one cycle after the due
 * date of this one, as the provider counts. A mandate that was ended concurrently contributes only the
 * payment and is ended again.
 */
export function applyCharge(term: RenewingTerm, cycle_ms: number): TermTransition {
  if (!isRenewing(term)) return { ...keepTerm(term), ends_mandate: true }
  const renews_at = (term.renews_at ?? term.period_end) + cycle_ms
  return { ...keepTerm(term), renewal_status: 'active', renews_at, grace_until: null }
}

/** Applies a failed or missing charge: access continues for the grace period after the due date. */
export function failCharge(term: RenewingTerm, grace_days: number): TermTransition | null {
  if (term.renewal_status !== 'active' && term.renewal_status !== 'paused') return null
  const grace_until = (term.renews_at ?? term.period_end) + grace_days * DAY_MS
  return { ...keepTerm(term), renewal_status: 'past_due', grace_until }
}

/** Ends the mandate, whoever requested it; paid months stay. Contract: Purchase rule 8. */
export function endMandate(term: RenewingTerm): TermTransition | null {
  if (!isRenewing(term)) return null
  return { ...keepTerm(term), renewal_status: 'cancelling', renews_at: null, ends_mandate: true }
}

/** Applies a pause or resumption by the provider. */
export function pauseMandate(term: RenewingTerm): TermTransition | null {
  if (term.renewal_status !== 'active' && term.renewal_status !== 'past_due') return null
  return { ...keepTerm(term), renewal_status: 'paused' }
}

export function resumeMandate(term: RenewingTerm): TermTransition | null {
  return term.renewal_status === 'paused' ? { ...keepTerm(term), renewal_status: 'active' } : null
}

/** Closes an ended term as of the end of its access, however late. */
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
 * Advances a term by time: a missing charge counts as failed; after the grace period nothing renews; after
 * the last month the term closes.
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
 * Returns how long before a charge its notice is sent, at most one cycle.
 * Contract: Notifications, Renewal notice.
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
  /** The last announced charge. */
  noticed_for: number | null
}

/** Checks whether a notice is due: once per charge, before it, and not while the mandate is paused. */
export function isNoticeDue(term: NoticedTerm, period_ms: number, now: number): boolean {
  const { renewal_status, renews_at, noticed_for } = term
  if (renewal_status !== 'active' || renews_at === null || noticed_for === renews_at) return false
  return renews_at - period_ms <= now && now < renews_at
}
