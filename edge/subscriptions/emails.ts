import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import type { NamedTerm } from './facts.ts'
import type { TermTransition } from './rules/renewal.ts'
import type { RenewalEmail } from './rules/renewal-email.ts'
import { accessEnd } from './rules/terms.ts'
import { termOf } from './transition.ts'

/** Longer than any mail server outage. */
const USEFUL_MS = 30 * 24 * 60 * 60 * 1000

/** Returns the email that announces a charge. It is sent once per charge. Contract: Notifications, Emails. */
export function noticeEffect(deps: Deps, term: NamedTerm, renews_at: number): Effect | null {
  const { id } = term.subscription
  const effect_id = `renewal-notice:${id}:${renews_at}`
  // The email is not worth sending after the charge.
  return emailEffect(deps, effect_id, term, { status: 'notice', at: renews_at }, renews_at)
}

/**
 * Returns the email about a failed or missing charge. It is not repeated until a charge has succeeded. Paid months
 * are still delivered.
 */
export function failedEffect(
  deps: Deps,
  term: NamedTerm,
  { grace_until }: TermTransition,
  now: number,
): Effect | null {
  const { id, graceUntil, periodEnd, renewsAt } = term.subscription
  if (grace_until === null || grace_until === graceUntil) return null
  const holdsPaidMonths = renewsAt !== null && periodEnd > renewsAt
  const status = holdsPaidMonths ? 'failed_prepaid' : 'failed'
  const effect_id = `renewal-failed:${id}:${grace_until}`
  const times = { at: Math.max(periodEnd, grace_until), retries_until: grace_until }
  return emailEffect(deps, effect_id, term, { status, ...times }, now + USEFUL_MS)
}

/** Returns the email about a plan that ended because its renewal was not paid. */
export function endedEffect(
  deps: Deps,
  term: NamedTerm,
  { ended_at }: TermTransition,
  now: number,
): Effect | null {
  const status = { status: 'ended', at: ended_at ?? now } as const
  return emailEffect(deps, `renewal-ended:${term.subscription.id}`, term, status, now + USEFUL_MS)
}

/** Returns the email about a cancellation. It is sent once per mandate. */
export function cancelledEffect(deps: Deps, term: NamedTerm, now: number): Effect | null {
  return stoppedEffect(deps, term, 'cancelled', now)
}

/** Returns the email saying that a blocked account's mandate was ended. It is sent once per mandate. */
export function blockedEffect(deps: Deps, term: NamedTerm, now: number): Effect | null {
  return stoppedEffect(deps, term, 'blocked', now)
}

function stoppedEffect(deps: Deps, term: NamedTerm, status: 'cancelled' | 'blocked', now: number) {
  const at = accessEnd({ ...termOf(term.subscription), renewal_status: 'cancelling' })
  const { id } = term.subscription
  return emailEffect(deps, `renewal-cancelled:${id}`, term, { status, at }, now + USEFUL_MS)
}

function emailEffect(
  { mailer }: Pick<Deps, 'mailer'>,
  id: string,
  { subscription, plan_name, email, locale }: NamedTerm,
  times: Pick<RenewalEmail, 'status' | 'at' | 'retries_until'>,
  useful_until: number,
): Effect | null {
  if (mailer === null) return null
  return mailEffect(id, {
    to: email,
    locale,
    content: {
      kind: 'renewal',
      plan_name,
      cancel_token: times.status === 'notice' ? subscription.cancelToken : null,
      amount_cents: subscription.renewalAmountCents ?? 0,
      currency: subscription.renewalCurrency ?? 'USD',
      ...times,
    },
    useful_until,
  })
}
