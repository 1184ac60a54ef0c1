import type { SessionCaller } from '../accounts/rules/caller.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { creditsFrom, creditsQueries } from '../credits/queries.ts'
import type { Deps } from '../deps.ts'
import { isRecurringHeld } from '../payments/open-providers.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { loadSettings } from '../settings/queries.ts'
import { cancelledEffect } from './emails.ts'
import { originQuery } from './queries.ts'
import { endMandate } from './rules/renewal.ts'
import { isRunning } from './rules/terms.ts'
import { heldMonthsQuery, runningTermQuery, toTermMonth } from './term-queries.ts'
import { afterTransition, termOf, termTransition } from './transition.ts'
import { viewRenewal } from './view.ts'

/**
 * Ends the term's mandate here; the outbox then ends it at the provider. Delivered and pending months and the end
 * of the term stay unchanged. Throws 409 not_recurring if nothing renews. Contract: Purchase rule 8.
 */
export async function cancelRenewal(deps: Deps, { account }: SessionCaller, record: RecordAnswer) {
  const settings = await loadSettings(deps.db, deps.clock.now())
  if (!isRecurringHeld(deps, settings)) throw new ApiError('not_recurring')
  return changeCredits(deps, account.id, {
    load: (grants_max) => loadHeld(deps, account.id, grants_max),
    decide: ({ held, origin, months }, _settled, now) => {
      const subscription = held && isRunning(termOf(held), now) ? held : null
      const transition = subscription && endMandate(termOf(subscription))
      if (subscription === null || transition === null || origin === null) throw new ApiError('not_recurring')
      const { statements, effects } = termTransition(deps, subscription, transition, 'owner', now)
      const { plan, email, locale } = origin
      const named = { subscription, plan_name: plan.name, email, locale }
      const message = cancelledEffect(deps, named, now)
      const answer = viewRenewal(afterTransition(subscription, transition), months, true)
      return {
        statements: [...statements, ...record(answer)],
        effects: [...effects, ...(message === null ? [] : [message])],
        answer,
      }
    },
  })
}

async function loadHeld({ db }: Deps, accountId: number, grants_max?: number) {
  const [running, months, ...credits] = await db.batch([
    runningTermQuery(db, accountId),
    heldMonthsQuery(db, accountId),
    ...creditsQueries(db, accountId, grants_max),
  ])
  const held = running[0]?.subscription ?? null
  // Names the plan that renews, because the current month may belong to another plan.
  const [origin = null] = held === null ? [] : await originQuery(db, held.id)
  return {
    held,
    origin,
    months: months.map(({ month }) => toTermMonth(month)),
    loaded: creditsFrom(accountId, credits, grants_max),
  }
}
