import { LOCALES, type Locale } from '../../../shared/text/texts.ts'
import type { ConsentField, RenewalObstacle } from '../../platform/errors/rules/money.ts'
import type { Refusal } from '../../platform/errors/rules/table.ts'
import { isRunning, type TermState } from '../../subscriptions/rules/terms.ts'

/** Reasons to refuse a purchase. */
export type PurchaseRefusal = Refusal<
  'consent_required' | 'subscription_required' | 'another_plan_running' | 'recurring_unavailable'
>

export interface Consent {
  accept_documents: boolean
  accept_immediate: boolean
}

/** Requires both consents. The refusal names the one that is missing. Contract: Purchase rule 3. */
export function refuseConsent({ accept_documents, accept_immediate }: Consent): PurchaseRefusal | null {
  if (!accept_documents) return missing('accept_documents')
  if (!accept_immediate) return missing('accept_immediate')
  return null
}

/** Requires consent to renewal. Contract: Purchase rule 7. */
export function refuseRenewalConsent(asked: { auto_renew: boolean; accept_recurring: boolean }) {
  if (!asked.auto_renew || asked.accept_recurring) return null
  return missing('accept_recurring')
}

function missing(field: ConsentField): PurchaseRefusal {
  return { code: 'consent_required', facts: { param: field } }
}

interface HeldTerm extends TermState {
  plan_id: number
  plan_name: string
}

/** Refuses a pack without a plan if packs are add-ons and no term is running. Contract: Purchase rule 5. */
export function refusePack(
  term: TermState | null,
  packsRequireSubscription: boolean,
  now: number,
): PurchaseRefusal | null {
  if (!packsRequireSubscription || isRunning(term, now)) return null
  return { code: 'subscription_required' }
}

/**
 * Refuses an order for any plan except the one that is running, because there is no proration. Contract: Purchases,
 * Plan routing.
 */
export function refusePlan(term: HeldTerm | null, planId: number, now: number): PurchaseRefusal | null {
  if (!isRunning(term, now) || term.plan_id === planId) return null
  return { code: 'another_plan_running', facts: { plan: term.plan_name } }
}

export interface RenewalFacts {
  recurring_enabled: boolean
  holds_mandates: boolean
  is_bundle: boolean
  term: TermState | null
}

/** Refuses renewal where it is not available. Contract: Purchase rule 7. */
export function refuseRenewal(facts: RenewalFacts, now: number): PurchaseRefusal | null {
  const obstacle = findObstacle(facts, now)
  return obstacle === null ? null : { code: 'recurring_unavailable', facts: { obstacle } }
}

function findObstacle(
  { recurring_enabled, holds_mandates, is_bundle, term }: RenewalFacts,
  now: number,
): RenewalObstacle | null {
  if (!recurring_enabled) return 'renewal_disabled'
  if (!holds_mandates) return 'provider_cannot_renew'
  if (is_bundle) return 'bundle'
  return isRunning(term, now) ? 'term_running' : null
}

/** Returns the given language if it is supported, or null to record none. Contract: Purchase rule 3. */
export function readConsentLocale(given: unknown): Locale | null {
  return LOCALES.find((locale) => locale === given) ?? null
}
