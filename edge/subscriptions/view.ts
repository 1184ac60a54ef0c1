import { isoTime } from '../platform/iso-time.ts'
import { isRenewing } from './rules/renewal.ts'
import type { TermMonth } from './rules/terms.ts'
import type { StoredSubscription, StoredTerm } from './term-queries.ts'
import { termOf } from './transition.ts'

/** Returns the fields of a cancellation response. Contract: Purchase rule 8. */
export function viewRenewal(
  subscription: StoredSubscription,
  months: readonly TermMonth[],
  recurringHeld: boolean,
) {
  const { renewalStatus, renewsAt, periodEnd } = subscription
  // Hides the renewal where renewal is not available, because there is nothing to cancel. Contract: Purchase rule
  // 7.
  const renews = recurringHeld && isRenewing(termOf(subscription))
  return {
    auto_renew: renews,
    renewal_status: renewalStatus,
    cancel_at_period_end: renewalStatus === 'cancelling',
    renews_at: isoTime(renewsAt),
    period_end: isoTime(periodEnd),
    months_total: months.length,
    can_cancel: renews,
  }
}

/**
 * Returns the account's term. A month that has started counts as granted, because the next read of the credits
 * delivers it. Contract: Subscriptions, Term record.
 */
export function viewSubscription(
  { subscription, plan }: StoredTerm,
  months: readonly TermMonth[],
  recurringHeld: boolean,
  now: number,
) {
  const { startedAt, graceUntil, renewalAmountCents, renewalCurrency, renewalMonths } = subscription
  const granted = months.filter(({ delivered, starts_at }) => delivered || starts_at <= now)
  const next = months.find(({ delivered, starts_at }) => !delivered && starts_at > now)
  const credits = (granted.at(-1) ?? next)?.credits ?? 0
  return {
    plan_name: plan.name,
    period_start: isoTime(startedAt),
    credits_per_month: credits,
    credits_per_period: credits,
    months_granted: granted.length,
    next_grant_at: isoTime(next?.starts_at ?? null),
    can_extend: plan.retiredAt === null,
    ...viewRenewal(subscription, months, recurringHeld),
    renewal_amount_cents: renewalAmountCents,
    renewal_currency: renewalCurrency,
    renewal_months: renewalMonths,
    grace_until: isoTime(graceUntil),
  }
}
