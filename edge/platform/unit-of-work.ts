import type { Deps } from '../deps.ts'
import type { Statement } from './database/client.ts'
import { commit, untilCommitted } from './database/commit.ts'
import { type Effect, effectStatements } from './outbox/queries.ts'
import { sendEffects } from './outbox/send.ts'

/** What a unit of work decided. */
export interface Decision<Answer> {
  /** Written in one commit. */
  statements?: readonly Statement[]
  /** Written to the outbox in the same commit, and sent afterwards. */
  effects?: readonly Effect[]
  answer: Answer
}

/**
 * When effects are sent: after the answer; before it, if callers rely on the effect; in a scheduled task, which
 * fails if the effect fails; or only by the outbox, which limits concurrency. The outbox always retries failures.
 */
export type Sending = 'after answer' | 'before answer' | 'in task' | 'by outbox'

/** The steps of a change of state. */
export interface UnitOfWork<Facts, Answer> {
  /** Reads all facts, in one round trip where possible. */
  load: () => Promise<Facts>
  /** Pure, except that it may throw a refusal as ApiError; in that case nothing is written. */
  decide: (facts: Facts, now: number) => Decision<Answer>
  sending?: Sending | undefined
}

/**
 * Runs a change of state: loads the facts, decides, commits the statements and effects together, and sends the
 * effects. Starts over if another writer was first.
 */
export async function unitOfWork<Facts, Answer>(
  deps: Deps,
  { load, decide, sending }: UnitOfWork<Facts, Answer>,
): Promise<Answer> {
  const { effects = [], answer } = await untilCommitted(async () => {
    const facts = await load()
    const now = deps.clock.now()
    const decision = decide(facts, now)
    await commitDecision(deps, decision, now)
    return decision
  })
  await sendCommitted(deps, effects, sending)
  return answer
}

/** Commits a decision based on facts that were loaded earlier, and sends its effects. Throws LostRace. */
export async function commitOnce<Answer>(
  deps: Deps,
  decision: Decision<Answer>,
  sending?: Sending,
): Promise<Answer> {
  await commitDecision(deps, decision, deps.clock.now())
  await sendCommitted(deps, decision.effects ?? [], sending)
  return decision.answer
}

function commitDecision<Answer>(
  { db }: Deps,
  { statements = [], effects = [] }: Decision<Answer>,
  now: number,
): Promise<void> {
  return commit(db, [...statements, ...effectStatements(db, effects, now)])
}

async function sendCommitted(
  deps: Deps,
  effects: readonly Effect[],
  sending: Sending = 'after answer',
): Promise<void> {
  if (effects.length === 0 || sending === 'by outbox') return
  const work = sendEffects(deps, effects)
  if (sending === 'in task') return work
  deps.defer(work)
  if (sending === 'before answer') await work.catch(() => undefined)
}
