import { loadSettings } from '../../db/settings.ts'
import { listRenewingTerms } from '../../db/subscriptions.ts'
import type { Deps } from '../../deps.ts'
import { endMandate } from '../../rules/subscriptions.ts'
import { settleAll } from '../settle-all.ts'
import { cancelledEffect } from './letters.ts'
import { type LoneMove, moveTermAlone } from './move-alone.ts'

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
  const ending: LoneMove = {
    reason: 'renewal switched off',
    decide: endMandate,
    tell: (facts, _move, now) => cancelledEffect(deps, facts, now),
  }
  await settleAll(renewing.map((term) => moveTermAlone(deps, term, ending)))
}
