import type { Deps } from '../deps.ts'
import { settleAll } from '../platform/settle-all.ts'
import { loadSettings } from '../settings/queries.ts'
import { blockedEffect, cancelledEffect } from './emails.ts'
import { listBlockedTerms, listRenewingTerms } from './queries.ts'
import { endMandate } from './rules/renewal.ts'
import { type TermChange, transitionTerm } from './transition-term.ts'

/** The next run continues with the rest. */
const TERMS_MAX = 50

/** Ends all mandates that must not be charged again. */
export async function endObsoleteMandates(deps: Deps): Promise<void> {
  await Promise.all([endBlockedMandates(deps), endUnsoldMandates(deps)])
}

/** Ends mandates of blocked accounts so that nobody pays for something they cannot use. Emails each owner. */
export async function endBlockedMandates(deps: Deps): Promise<void> {
  const renewing = await listBlockedTerms(deps.db, TERMS_MAX)
  const ending: TermChange = {
    reason: 'account blocked',
    decide: endMandate,
    notify: (facts, _transition, now) => blockedEffect(deps, facts, now),
  }
  await settleAll(renewing.map((term) => transitionTerm(deps, term, ending)))
}

/** Ends all mandates if renewal is disabled, and sends the cancellation email. Contract: Purchase rule 7. */
async function endUnsoldMandates(deps: Deps): Promise<void> {
  const { recurring_enabled } = await loadSettings(deps.db, deps.clock.now())
  if (recurring_enabled) return
  const renewing = await listRenewingTerms(deps.db, TERMS_MAX)
  const ending: TermChange = {
    reason: 'renewal switched off',
    decide: endMandate,
    notify: (facts, _transition, now) => cancelledEffect(deps, facts, now),
  }
  await settleAll(renewing.map((term) => transitionTerm(deps, term, ending)))
}
