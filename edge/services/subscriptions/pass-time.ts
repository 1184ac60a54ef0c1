import { effectStatement } from '../../db/outbox.ts'
import { loadSettings } from '../../db/settings.ts'
import { listOverdueTerms } from '../../db/subscriptions.ts'
import type { StoredSubscription } from '../../db/terms.ts'
import type { Deps } from '../../deps.ts'
import { unchanged } from '../../rules/ledger.ts'
import { passTime } from '../../rules/subscriptions.ts'
import { changeCredits } from '../credits/settle.ts'
import { settleAll } from '../outbox/dispatch.ts'
import { carryOut } from '../outbox/resend.ts'
import { loadTermWithCredits } from './facts.ts'
import { failedEffect } from './letters.ts'
import { moveTerm, termOf } from './move.ts'
import { askAboutCharges } from './silent-charges.ts'

/** What is not done in one run is done in the next. */
const TERMS_MAX = 50

/** Charges that landed unheard come first: they must not end in a term that is closed. */
export async function moveTermsOn(deps: Deps): Promise<void> {
  try {
    await askAboutCharges(deps)
  } finally {
    await moveOverdueTerms(deps)
  }
}

/**
 * Moves on the terms that time alone moves: charges that never came, grace that is over, terms that are.
 * A term that closes delivers what was due in the same commit.
 */
async function moveOverdueTerms(deps: Deps): Promise<void> {
  const overdue = await listOverdueTerms(deps.db, deps.clock.now(), TERMS_MAX)
  await settleAll(overdue.map((term) => moveOverdueTerm(deps, term)))
}

async function moveOverdueTerm(deps: Deps, { id, accountId }: Pick<StoredSubscription, 'id' | 'accountId'>) {
  const { renewal_grace_days } = await loadSettings(deps.db, deps.clock.now())
  const effects = await changeCredits(
    deps,
    accountId,
    (grants_max) => loadTermWithCredits(deps, id, accountId, grants_max),
    (facts, settled, now) => {
      const { subscription } = facts
      const isOpen = subscription.endedAt === null
      const move = isOpen ? passTime(termOf(subscription), renewal_grace_days, now) : null
      if (move === null) return { change: unchanged(settled), statements: [], answer: [] }
      const { statements, effects } = moveTerm(deps, subscription, move, 'time', now)
      const letter = move.renewal_status === 'past_due' ? failedEffect(deps, facts, move, now) : null
      const letters = letter === null ? [] : [letter]
      return {
        change: unchanged(settled),
        statements: [...statements, ...letters.map((each) => effectStatement(deps.db, each, now))],
        answer: [...effects, ...letters],
      }
    },
  )
  for (const effect of effects) deps.defer(carryOut(deps, effect))
}
