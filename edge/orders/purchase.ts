import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { isSelling } from '../offers/list.ts'
import { loadOffers, quoteBundle, quotePack, quotePlan } from '../offers/quote.ts'
import { pickProvider } from '../payments/open-providers.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { loadSettings } from '../settings/queries.ts'
import type { RunningTerm } from '../subscriptions/rules/terms.ts'
import { openOrder, requireAllowed } from './open.ts'
import {
  type Consent,
  type PurchaseRefusal,
  refuseConsent,
  refusePack,
  refusePlan,
  refuseRenewal,
  refuseRenewalConsent,
} from './rules/purchase.ts'

interface Given extends Consent {
  provider?: string | undefined
  consent_locale?: unknown
}

export interface CheckoutInput extends Given {
  package_id: number
}

export interface SubscribeInput extends Given {
  plan_id: number
  months: number
  package_id?: number | undefined
  auto_renew: boolean
  accept_recurring: boolean
}

/**
 * Opens an order for a pack. Throws, in this order: 403 if payments are not enabled, 400 unless both consents are
 * given, 400 for a closed provider, 404 for a pack that is not on sale, and 409 subscription_required if packs are
 * add-ons. None of these creates an order. Throws 502 if the provider fails. Contract: Purchase rules.
 */
export async function checkout(
  deps: Deps,
  caller: SessionCaller,
  input: CheckoutInput,
  record: RecordAnswer,
) {
  const { provider, settings } = await prepare(deps, caller, input, refuseConsent(input))
  const offers = await loadOffers(deps, caller.account.id, deps.clock.now())
  const purchase = { plan: null, pack: quotePack(offers, input.package_id) }
  const refuse = (term: RunningTerm | null, now: number) =>
    refusePack(term, settings.packs_require_subscription, now)
  return openOrder(
    deps,
    caller,
    { purchase, provider, autoRenew: false, consent_locale: input.consent_locale, refuse },
    record,
  )
}

/**
 * Opens an order for months of a plan, optionally with a pack as a bundle. Throws like `checkout`. Also throws 400
 * without accept_recurring, 400 for a term that is not sold, 409 if another plan is running, and 409
 * recurring_unavailable. Contract: Purchase rules; Renewal rules.
 */
export async function subscribe(
  deps: Deps,
  caller: SessionCaller,
  input: SubscribeInput,
  record: RecordAnswer,
) {
  const { plan_id, package_id, months, auto_renew } = input
  const refusal = refuseConsent(input) ?? refuseRenewalConsent(input)
  const { provider, settings } = await prepare(deps, caller, input, refusal)
  const offers = await loadOffers(deps, caller.account.id, deps.clock.now())
  const purchase =
    package_id === undefined
      ? { plan: quotePlan(offers, plan_id, months), pack: null }
      : quoteBundle(offers, { plan_id, package_id, months })
  const refuse = (term: RunningTerm | null, now: number) => {
    const { recurring_enabled } = settings
    const facts = {
      recurring_enabled,
      holds_mandates: provider.holds_mandates,
      is_bundle: purchase.pack !== null,
    }
    return refusePlan(term, plan_id, now) ?? (auto_renew ? refuseRenewal({ ...facts, term }, now) : null)
  }
  return openOrder(
    deps,
    caller,
    { purchase, provider, autoRenew: auto_renew, consent_locale: input.consent_locale, refuse },
    record,
  )
}

async function prepare(
  deps: Deps,
  { account }: SessionCaller,
  input: Given,
  refusal: PurchaseRefusal | null,
) {
  if (!(await isSelling(deps, account))) {
    throw new ApiError('payments_not_enabled')
  }
  requireAllowed(refusal)
  const settings = await loadSettings(deps.db, deps.clock.now())
  return { settings, provider: pickProvider(deps, settings, input.provider) }
}
