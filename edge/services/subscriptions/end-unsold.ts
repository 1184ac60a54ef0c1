import { effectStatement } from '../../db/outbox.ts'
import { loadSettings } from '../../db/settings.ts'
import { listRenewingTerms } from '../../db/subscriptions.ts'
import type { Deps } from '../../deps.ts'
import { unchanged } from '../../rules/ledger.ts'
import { endMandate } from '../../rules/subscriptions.ts'
import { changeCredits } from '../credits/settle.ts'
import { settleAll } from '../outbox/dispatch.ts'
import { carryOut } from '../outbox/resend.ts'
import { loadTermWithCredits } from './facts.ts'
import { cancelledEffect } from './letters.ts'
import { moveTerm, termOf } from './move.ts'

/** What is not done in one run is done in the next. */
const TERMS_MAX = 50

/**
 * Where renewal is switched off nothing renews: the mandates that still stand are ended as by their owners,
 * with the same letter. Purchase rule 7.
 */
export async function endUnsoldMandates(deps: Deps): Promise<void> {
  const { recurring_enabled } = await loadSettings(deps.db, deps.clock.now())
  if (recurring_enabled) return
  const renewing = await listRenewingTerms(deps.db, TERMS_MAX)
  await settleAll(renewing.map((term) => endOne(deps, term)))
}

async function endOne(deps: Deps, { id, accountId }: { id: string; accountId: number }): Promise<void> {
  const effects = await changeCredits(
    deps,
    accountId,
    (grants_max) => loadTermWithCredits(deps, id, accountId, grants_max),
    (facts, settled, now) => {
      const { subscription } = facts
      const move = subscription.endedAt === null ? endMandate(termOf(subscription)) : null
      if (move === null) return { change: unchanged(settled), statements: [], answer: [] }
      const { statements, effects } = moveTerm(deps, subscription, move, 'renewal switched off', now)
      const letter = cancelledEffect(deps, facts, now)
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
