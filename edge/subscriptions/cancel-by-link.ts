import type { Deps } from '../deps.ts'
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
  return viewLinked(await findLinked(deps, token))
}

/**
 * Ends a term's mandate through an email link, without a sign-in. Changes nothing if the renewal has already ended.
 * Throws 404.
 */
export async function cancelRenewalByLink(deps: Deps, token: string) {
  const { subscription } = await findLinked(deps, token)
  await transitionTerm(deps, subscription, {
    reason: 'link',
    decide: endMandate,
    notify: (facts, _transition, now) => cancelledEffect(deps, facts, now),
  })
  return viewLinked(await findLinked(deps, token))
}

async function findLinked({ db }: Deps, token: string): Promise<LinkedTerm> {
  const [found] = await linkedTermQuery(db, token)
  if (found === undefined) throw new ApiError('renewal_link_not_found')
  return found
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
