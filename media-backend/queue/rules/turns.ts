import type { Dispatch } from '../../../shared/protocol/dispatch.ts'

/**
 * Accounts take turns within a lane (start-time fair queueing). A job's turn is the number of the round in which it is
 * served: an account's first job gets the current round, and each further job the round after the one before it. The
 * first job of an account therefore waits for at most one job of every other account, however many they have.
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

/** A canceled job does not count, so the account's next job moves up. */
export function releaseTurn(turns: Turns, account: string): void {
  const next = turns.next.get(account)
  if (next !== undefined) turns.next.set(account, Math.max(turns.now, next - 1))
}

/** Groups of accounts, served one after the other: paid, free, anonymous. */
const GROUPS = 3
/** Places within a round: overdue jobs, then the plans of paid accounts by their priority. */
const LEVELS = 10
/** The highest priority that BullMQ accepts; 0 would mean that a job has none. */
const PRIORITY_MAX = 2 ** 21 - 1
/** Later turns share the last one. */
export const TURNS_MAX = Math.floor((PRIORITY_MAX - 1) / (GROUPS * LEVELS))

/** How a job competes with others. */
export interface Rank {
  group: number
  level: number
  /** The account that takes turns; null in dispatches of older edges. */
  account: string | null
  /** Number of the caller's open jobs, as ranked by the edge. */
  waiting: number
}

/** All overdue jobs of free and anonymous accounts take turns with paid accounts as if they were one. */
const OVERDUE = 'overdue'

/** Reads the rank of a job from its priority (edge/jobs/rules/queue-priority.ts). Contract: Limits, Queue delay. */
export function rankOf(dispatch: Pick<Dispatch, 'priority' | 'tier' | 'account_key'>): Rank {
  const { priority, tier } = dispatch
  const account = dispatch.account_key ?? null
  const waiting = priority % LEVELS
  if (priority < 10) {
    const is_paid = tier === 'paid'
    return { group: 0, level: is_paid ? 1 : 0, account: is_paid ? account : OVERDUE, waiting }
  }
  if (priority < 100) return { group: 0, level: Math.floor(priority / 10), account, waiting }
  return { group: priority < 200 ? 1 : 2, level: 0, account, waiting }
}

/** Returns the BullMQ priority of a job; the lowest is served first, and equal ones in order of arrival. */
export function priorityOf({ group, level }: Pick<Rank, 'group' | 'level'>, turn: number): number {
  return 1 + (group * TURNS_MAX + Math.min(turn, TURNS_MAX - 1)) * LEVELS + level
}

/** Inverts `priorityOf`. */
export function turnOf(priority: number): { group: number; turn: number } {
  const place = Math.floor((priority - 1) / LEVELS)
  return { group: Math.floor(place / TURNS_MAX), turn: place % TURNS_MAX }
}
