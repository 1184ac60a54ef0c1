import { changeCredits } from '../credits/change-credits.ts'
import { unchanged } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { carryOut } from '../outbox/resend.ts'
import { type Effect, effectStatement } from '../platform/outbox/queries.ts'
import { loadTermWithCredits, type NamedTerm } from './facts.ts'
import type { RenewingTerm, TermMove } from './rules/renewal.ts'
import { moveTerm, termOf } from './transition.ts'

export interface LoneMove {
  reason: string
  /** null: the term stays as it is. */
  decide(term: RenewingTerm, now: number): TermMove | null
  /** What its owner is told of the move. */
  tell(facts: NamedTerm, move: TermMove, now: number): Effect | null
}

/** Moves a term that nobody has closed, and nothing else, with the letter that tells of it. */
export async function moveTermAlone(
  deps: Deps,
  { id, accountId }: { id: string; accountId: number },
  { reason, decide, tell }: LoneMove,
): Promise<void> {
  const effects = await changeCredits(
    deps,
    accountId,
    (grants_max) => loadTermWithCredits(deps, id, accountId, grants_max),
    (facts, settled, now) => {
      const { subscription } = facts
      const move = subscription.endedAt === null ? decide(termOf(subscription), now) : null
      if (move === null) return { change: unchanged(settled), statements: [], answer: [] }
      const { statements, effects } = moveTerm(deps, subscription, move, reason, now)
      const letter = tell(facts, move, now)
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
