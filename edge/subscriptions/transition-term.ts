import { changeCredits } from '../credits/change-credits.ts'
import type { Deps } from '../deps.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { loadTermWithCredits, type NamedTerm } from './facts.ts'
import type { RenewingTerm, TermTransition } from './rules/renewal.ts'
import { termOf, termTransition } from './transition.ts'

export interface TermChange {
  reason: string
  /** Returns the transition; null if the term does not change. */
  decide(term: RenewingTerm, now: number): TermTransition | null
  /** Returns the email that informs the owner; null if none is sent. */
  notify(facts: NamedTerm, transition: TermTransition, now: number): Effect | null
}

/** Changes the state of an open term and queues the email about the change. */
export async function transitionTerm(
  deps: Deps,
  { id, accountId }: { id: string; accountId: number },
  { reason, decide, notify }: TermChange,
): Promise<void> {
  return changeCredits(deps, accountId, {
    load: (grants_max) => loadTermWithCredits(deps, id, accountId, grants_max),
    decide: (facts, _settled, now) => {
      const { subscription } = facts
      const transition = subscription.endedAt === null ? decide(termOf(subscription), now) : null
      if (transition === null) return { answer: undefined }
      const { statements, effects } = termTransition(deps, subscription, transition, reason, now)
      const message = notify(facts, transition, now)
      return { statements, effects: [...effects, ...(message === null ? [] : [message])], answer: undefined }
    },
  })
}
