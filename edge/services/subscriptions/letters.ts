import type { Effect } from '../../db/outbox.ts'
import type { Deps } from '../../deps.ts'
import type { RenewalLetter } from '../../rules/letters/renewal.ts'
import type { TermMove } from '../../rules/subscriptions.ts'
import { accessEnd } from '../../rules/terms.ts'
import { mailEffect } from '../mail/letters.ts'
import type { NamedTerm } from './facts.ts'
import { termOf } from './move.ts'

/** Long enough for any outage of a mail server. */
const USEFUL_MS = 30 * 24 * 60 * 60 * 1000

/** Before a charge, once for each. Specification: Events, 5. */
export function noticeEffect(deps: Deps, term: NamedTerm, renews_at: number): Effect | null {
  const { id } = term.subscription
  // After the charge nobody wants it any more.
  return letterEffect(deps, `renewal-notice:${id}:${renews_at}`, term, 'notice', renews_at, renews_at)
}

/** After a charge that failed or never came; once until one lands. */
export function failedEffect(
  deps: Deps,
  term: NamedTerm,
  { grace_until }: TermMove,
  now: number,
): Effect | null {
  const { id, graceUntil, periodEnd } = term.subscription
  if (grace_until === graceUntil) return null
  const until = Math.max(periodEnd, grace_until ?? periodEnd)
  return letterEffect(deps, `renewal-failed:${id}:${grace_until}`, term, 'failed', until, now + USEFUL_MS)
}

/** After a cancellation, once for each mandate. */
export function cancelledEffect(deps: Deps, term: NamedTerm, now: number): Effect | null {
  const until = accessEnd({ ...termOf(term.subscription), renewal_status: 'cancelling' })
  const { id } = term.subscription
  return letterEffect(deps, `renewal-cancelled:${id}`, term, 'cancelled', until, now + USEFUL_MS)
}

function letterEffect(
  { mailer }: Pick<Deps, 'mailer'>,
  id: string,
  { subscription, plan_name, email }: NamedTerm,
  status: RenewalLetter['status'],
  at: number,
  useful_until: number,
): Effect | null {
  if (mailer === null) return null
  return mailEffect(id, {
    to: email,
    locale: subscription.consentLocale ?? 'en',
    content: {
      kind: 'renewal',
      status,
      plan_name,
      amount_cents: subscription.renewalAmountCents ?? 0,
      currency: subscription.renewalCurrency ?? 'USD',
      at,
    },
    useful_until,
  })
}
