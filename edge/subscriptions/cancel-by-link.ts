import type { Deps } from '../deps.ts'
import { findAnywhere, type Place } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import { cancelledEffect } from './emails.ts'
import { type LinkedTerm, linkedTermQuery } from './queries.ts'
import { endMandate, isRenewing } from './rules/renewal.ts'
import { accessEnd } from './rules/terms.ts'
import { termOf } from './transition.ts'
import { transitionTerm } from './transition-term.ts'

/** Returns the renewal that an email link refers to. Throws 404. */
export async function showRenewalByLink(deps: Deps, token: string) {
  return viewLinked((await findLinked(deps, token)).found)
}

/**
 * Ends a term's mandate through an email link, without a sign-in. Changes nothing if the renewal has already ended.
 * Throws 404.
 */
export async function cancelRenewalByLink(asked: Deps, token: string) {
  const { deps, found } = await findLinked(asked, token)
  const { subscription } = found
  await transitionTerm(deps, subscription, {
    reason: 'link',
    decide: endMandate,
    notify: (facts, _transition, now) => cancelledEffect(deps, facts, now),
  })
  return viewLinked((await findLinked(deps, token)).found)
}

async function findLinked(deps: Deps, token: string): Promise<Place<LinkedTerm>> {
  const place = await findAnywhere(deps, async ({ db }) => (await linkedTermQuery(db, token))[0])
  if (place === null) throw new ApiError('renewal_link_not_found')
  return place
}

function viewLinked({ subscription, plan_name }: LinkedTerm) {
  const { renewsAt, renewalAmountCents, renewalCurrency, endedAt } = subscription
  const term = termOf(subscription)
  return {
    plan_name,
    renewal_status: term.renewal_status,
    renews_at: isoTime(renewsAt),
    renewal_amount_cents: renewalAmountCents,
    renewal_currency: renewalCurrency,
    grace_until: isoTime(term.grace_until),
    period_end: isoTime(accessEnd({ ...term, renewal_status: 'cancelling' })),
    can_cancel: endedAt === null && isRenewing(term),
  }
}
