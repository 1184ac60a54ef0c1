import { DAY_MS } from '../../platform/rules/days.ts'
import type { RenewalState } from './states.ts'
import { accessEnd, CHARGE_PATIENCE_MS, type TermState } from './terms.ts'

/**
 * What becomes of a term's renewal: by a charge that landed or failed, by its owner, by its provider, and by
 * time alone. Pure; every function answers what is written, or null where nothing is.
 * Contract: Subscriptions, Renewal states; Renewal rules.
 */
export interface RenewingTerm extends TermState {
  /** When the mandate is charged next; null where none is. */
  renews_at: number | null
}

/** What a term is after a move. `ends_mandate`: its provider is to charge nothing any more. */
export interface TermMove {
  renewal_status: RenewalState
  renews_at: number | null
  grace_until: number | null
  ended_at: number | null
  ends_mandate: boolean
}

/** In these a mandate stands behind a term, and may be charged. */
export const RENEWING: readonly RenewalState[] = ['active', 'past_due', 'paused']

export function isRenewing({ renewal_status }: Pick<TermState, 'renewal_status'>): boolean {
  return RENEWING.includes(renewal_status)
}

/** A term that stays as it is: months were added to it. */
export function keepTerm({ renewal_status, renews_at, grace_until }: RenewingTerm): TermMove {
  return { renewal_status, renews_at, grace_until, ended_at: null, ends_mandate: false }
}

/**
 * A charge landed: whatever was wrong is over, and the next one comes a cycle after this one was due, as the
 * provider counts. Of a mandate that was ended meanwhile nothing but the money comes, and it is to be ended
 * again.
 */
export function landCharge(term: RenewingTerm, cycle_ms: number): TermMove {
  if (!isRenewing(term)) return { ...keepTerm(term), ends_mandate: true }
  const renews_at = (term.renews_at ?? term.period_end) + cycle_ms
  return { ...keepTerm(term), renewal_status: 'active', renews_at, grace_until: null }
}

/** A charge failed, or never came: access goes on for the days of grace behind the day it was due. */
export function failCharge(term: RenewingTerm, grace_days: number): TermMove | null {
  if (term.renewal_status !== 'active' && term.renewal_status !== 'paused') return null
  const grace_until = (term.renews_at ?? term.period_end) + grace_days * DAY_MS
  return { ...keepTerm(term), renewal_status: 'past_due', grace_until }
}

/** The mandate ends, by whose wish ever; the months that are paid for stay. Contract: Purchase rule 8. */
export function endMandate(term: RenewingTerm): TermMove | null {
  if (!isRenewing(term)) return null
  return { ...keepTerm(term), renewal_status: 'cancelling', renews_at: null, ends_mandate: true }
}

/** The provider holds the mandate's charges back, or lets them go on. */
export function pauseMandate(term: RenewingTerm): TermMove | null {
  if (term.renewal_status !== 'active' && term.renewal_status !== 'past_due') return null
  return { ...keepTerm(term), renewal_status: 'paused' }
}

export function resumeMandate(term: RenewingTerm): TermMove | null {
  return term.renewal_status === 'paused' ? { ...keepTerm(term), renewal_status: 'active' } : null
}

/** A term that is over is closed, as of when its access ended, however late that is noticed. */
export function closeTerm(term: RenewingTerm, now: number): TermMove {
  return {
    renewal_status: 'ended',
    renews_at: null,
    grace_until: term.grace_until,
    ended_at: Math.min(now, accessEnd(term)),
    ends_mandate: isRenewing(term),
  }
}

/**
 * What time alone does to a term: a charge that never came counts as failed; when the grace is over nothing
 * renews any more; when the months are over as well the term closes.
 */
export function passTime(term: RenewingTerm, grace_days: number, now: number): TermMove | null {
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

/** From so many months on a cycle has the longer notice. */
export const LONG_CYCLE_MONTHS = 12

/**
 * How long before a charge its notice is sent, never longer than the cycle.
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
  /** The charge that was last given notice of. */
  noticed_for: number | null
}

/** Once for each charge, before it, and not for one that is held back. */
export function isNoticeDue(term: NoticedTerm, period_ms: number, now: number): boolean {
  const { renewal_status, renews_at, noticed_for } = term
  if (renewal_status !== 'active' || renews_at === null || noticed_for === renews_at) return false
  return renews_at - period_ms <= now && now < renews_at
}
