import { LOCALES, type Locale } from '../../platform/http/rules/locale.ts'
import { isRunning, type TermState } from '../../subscriptions/rules/terms.ts'

/** The documents a purchase is made under; the version is stamped on each order. Contract: Purchase rule 3. */
export const TERMS_VERSION = '2026-11-01'

/** Why a purchase is refused. */
export interface Refusal {
  status: 400 | 403 | 409
  detail: string | { code: string; message: string }
}

export interface Consent {
  accept_documents: boolean
  accept_immediate: boolean
}

/** Both boxes, and the missing one is named. Contract: Purchase rule 3. */
export function refuseConsent({ accept_documents, accept_immediate }: Consent): Refusal | null {
  if (!accept_documents) return missing('accept_documents', 'the documents of the purchase')
  if (!accept_immediate) return missing('accept_immediate', 'delivery at once')
  return null
}

/** A renewal that nobody agreed to is none. Contract: Purchase rule 7. */
export function refuseRenewalConsent(asked: { auto_renew: boolean; accept_recurring: boolean }) {
  if (!asked.auto_renew || asked.accept_recurring) return null
  return missing('accept_recurring', 'being charged again')
}

function missing(field: string, what: string): Refusal {
  return { status: 400, detail: `${field} must be true: a purchase needs your agreement to ${what}` }
}

interface HeldTerm extends TermState {
  plan_id: number
  plan_name: string
}

/** Where packs are add-ons, a pack alone needs a running term. Contract: Purchase rule 5. */
export function refusePack(term: TermState | null, packsRequireSubscription: boolean, now: number) {
  if (!packsRequireSubscription || isRunning(term, now)) return null
  return conflict('subscription_required', 'packs are sold beside a running plan: subscribe to one first')
}

/** Contract: Purchases, Plan routing. There is no proration. */
export function refusePlan(term: HeldTerm | null, planId: number, now: number): Refusal | null {
  if (!isRunning(term, now) || term.plan_id === planId) return null
  return {
    status: 409,
    detail: `your plan ${term.plan_name} is still running; another one can be bought when it has ended`,
  }
}

export interface RenewalFacts {
  recurring_enabled: boolean
  holds_mandates: boolean
  is_bundle: boolean
  term: TermState | null
}

/** What cannot renew itself. Contract: Purchase rule 7. */
export function refuseRenewal(facts: RenewalFacts, now: number): Refusal | null {
  const cause = findObstacle(facts, now)
  return cause === null ? null : conflict('recurring_unavailable', cause)
}

function findObstacle({ recurring_enabled, holds_mandates, is_bundle, term }: RenewalFacts, now: number) {
  if (!recurring_enabled) return 'plans that renew themselves are not on sale'
  if (!holds_mandates) return 'this way of paying cannot be charged again by itself'
  if (is_bundle) return 'a bundle does not renew itself'
  if (isRunning(term, now)) return 'a term that is paid for is already running'
  return null
}

function conflict(code: string, message: string): Refusal {
  return { status: 409, detail: { code, message } }
}

/** Anything else than one of our languages is unrecorded. Contract: Purchase rule 3. */
export function readConsentLocale(given: unknown): Locale | null {
  return LOCALES.find((locale) => locale === given) ?? null
}
