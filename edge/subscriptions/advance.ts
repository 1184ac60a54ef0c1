import type { Deps } from '../deps.ts'
import { settleAll } from '../platform/settle-all.ts'
import { loadSettings } from '../settings/queries.ts'
import { cancelledEffect, endedEffect, failedEffect } from './emails.ts'
import { askAboutCharges } from './poll-charges.ts'
import { listOverdueTerms } from './queries.ts'
import { advanceTerm, isRenewing } from './rules/renewal.ts'
import { termOf } from './transition.ts'
import { type TermChange, transitionTerm } from './transition-term.ts'

/** The next run continues with the rest. */
const TERMS_MAX = 50

/** Polls for unreported charges first, because they must not be lost in a closed term. */
export async function advanceTerms(deps: Deps): Promise<void> {
  try {
    await askAboutCharges(deps)
  } finally {
    await advanceOverdueTerms(deps)
  }
}

/**
 * Advances terms as time passes: missing charges, expired grace periods, ended terms. Closing a term delivers its
 * due months in the same commit.
 */
async function advanceOverdueTerms(deps: Deps): Promise<void> {
  const { renewal_grace_days } = await loadSettings(deps.db, deps.clock.now())
  const overdue = await listOverdueTerms(deps.db, deps.clock.now(), TERMS_MAX)
  const passing: TermChange = {
    reason: 'time',
    decide: (term, now) => advanceTerm(term, renewal_grace_days, now),
    notify: (facts, transition, now) => {
      if (transition.renewal_status === 'past_due') return failedEffect(deps, facts, transition, now)
      if (transition.renewal_status === 'cancelling') return cancelledEffect(deps, facts, now)
      // The end of a term that was canceled, or never renewed, was announced before.
      return isRenewing(termOf(facts.subscription)) ? endedEffect(deps, facts, transition, now) : null
    },
  }
  await settleAll(overdue.map((term) => transitionTerm(deps, term, passing)))
}
