import type { Deps } from '../deps.ts'
import { settleAll } from '../platform/settle-all.ts'
import { loadSettings } from '../settings/queries.ts'
import { blockedEffect, cancelledEffect } from './emails.ts'
import { listBlockedTerms, listRenewingTerms } from './queries.ts'
import { endMandate } from './rules/renewal.ts'
import { type LoneMove, moveTermAlone } from './transition-term.ts'

/** What is not done in one run is done in the next. */
const TERMS_MAX = 50

/** Ends the mandates that must not be charged any more, whatever the reason. */
export async function endUnwantedMandates(deps: Deps): Promise<void> {
  await Promise.all([endBlockedMandates(deps), endUnsoldMandates(deps)])
}

/** Ends the mandates of blocked accounts: nobody is charged for what they cannot use. Sends an email each. */
export async function endBlockedMandates(deps: Deps): Promise<void> {
  const renewing = await listBlockedTerms(deps.db, TERMS_MAX)
  const ending: LoneMove = {
    reason: 'account blocked',
    decide: endMandate,
    tell: (facts, _move, now) => blockedEffect(deps, facts, now),
  }
  await settleAll(renewing.map((term) => moveTermAlone(deps, term, ending)))
}

/** Ends all mandates where renewal is switched off, with the email of a cancellation. Contract: Purchase rule 7. */
async function endUnsoldMandates(deps: Deps): Promise<void> {
  const { recurring_enabled } = await loadSettings(deps.db, deps.clock.now())
  if (recurring_enabled) return
  const renewing = await listRenewingTerms(deps.db, TERMS_MAX)
  const ending: LoneMove = {
    reason: 'renewal switched off',
    decide: endMandate,
    tell: (facts, _move, now) => cancelledEffect(deps, facts, now),
  }
  await settleAll(renewing.map((term) => moveTermAlone(deps, term, ending)))
}
