import type { Rank } from '../queue/rules/turns.ts'

/**
 * The turns of one lane and group as plain data. Tests compare the scripts in Redis, which are in
 * media-backend/queue/turn-keeper.ts, with this model, and prove with it that accounts take turns.
 */
export interface Turns {
  /** The latest round that has started. */
  now: number
  /** The first free round of each account. */
  next: Map<string, number>
}

/** Returns the turn of an account's next job. `waiting` is set instead of the account in dispatches of older edges. */
export function assignTurn(turns: Turns, { account, waiting }: Pick<Rank, 'account' | 'waiting'>): number {
  if (account === null) return turns.now + waiting
  const turn = Math.max(turns.now, turns.next.get(account) ?? 0)
  turns.next.set(account, turn + 1)
  return turn
}

/** Records that a job has started. */
export function startTurn(turns: Turns, turn: number): void {
  turns.now = Math.max(turns.now, turn)
}

/** Forgets an account that has no later job, so its next job gets the current round. */
export function endTurn(turns: Turns, account: string, turn: number): void {
  if (turns.next.get(account) === turn + 1) turns.next.delete(account)
}

/** A canceled job does not count, so the account's next job moves up. */
export function releaseTurn(turns: Turns, account: string): void {
  const next = turns.next.get(account)
  if (next !== undefined) turns.next.set(account, Math.max(turns.now, next - 1))
}
