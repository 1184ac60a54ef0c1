import type { SessionCaller } from '../accounts/rules/caller.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { creditsFrom, creditsQueries } from '../credits/queries.ts'
import { unchanged } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { carryOut } from '../outbox/resend.ts'
import { isRecurringHeld } from '../payments/open-providers.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { effectStatement } from '../platform/outbox/queries.ts'
import { loadSettings } from '../settings/queries.ts'
import { cancelledEffect } from './emails.ts'
import { originQuery } from './queries.ts'
import { endMandate } from './rules/renewal.ts'
import { isRunning } from './rules/terms.ts'
import { heldMonthsQuery, runningTermQuery, toTermMonth } from './term-queries.ts'
import { afterMove, moveTerm, termOf } from './transition.ts'
import { viewRenewal } from './view.ts'

/**
 * Ends the mandate of the term: at the provider by the outbox. Delivered and pending months stay, and so
 * does the end of the term. Throws 409 not_recurring where nothing is renewing. Contract: Purchase rule 8.
 */
export async function cancelRenewal(deps: Deps, { account }: SessionCaller, record: RecordAnswer) {
  const settings = await loadSettings(deps.db, deps.clock.now())
  if (!isRecurringHeld(deps, settings)) throw new ApiError('not_recurring')
  const { answer, effects } = await changeCredits(
    deps,
    account.id,
    (grants_max) => loadHeld(deps, account.id, grants_max),
    ({ held, origin, months }, settled, now) => {
      const subscription = held && isRunning(termOf(held), now) ? held : null
      const move = subscription && endMandate(termOf(subscription))
      if (subscription === null || move === null || origin === null) throw new ApiError('not_recurring')
      const { statements, effects } = moveTerm(deps, subscription, move, 'owner', now)
      const { plan, email, locale } = origin
      const named = { subscription, plan_name: plan.name, email, locale }
      const letter = cancelledEffect(deps, named, now)
      const letters = letter === null ? [] : [letter]
      const answer = viewRenewal(afterMove(subscription, move), months, true)
      return {
        change: unchanged(settled),
        statements: [
          ...statements,
          ...letters.map((each) => effectStatement(deps.db, each, now)),
          ...record(answer),
        ],
        answer: { answer, effects: [...effects, ...letters] },
      }
    },
  )
  for (const effect of effects) deps.defer(carryOut(deps, effect))
  return answer
}

async function loadHeld({ db }: Deps, accountId: number, grants_max?: number) {
  const [running, months, ...credits] = await db.batch([
    runningTermQuery(db, accountId),
    heldMonthsQuery(db, accountId),
    ...creditsQueries(db, accountId, grants_max),
  ])
  const held = running[0]?.subscription ?? null
  // The plan that renews: the current month may be of another one.
  const [origin = null] = held === null ? [] : await originQuery(db, held.id)
  return {
    held,
    origin,
    months: months.map(({ month }) => toTermMonth(month)),
    loaded: creditsFrom(accountId, credits, grants_max),
  }
}
