import type { Dispatch } from '../../../shared/protocol/dispatch.ts'

/**
 * Accounts take turns within a lane (start-time fair queueing). A job's turn is the number of the round in which it is
 * served: the job of an account without open jobs gets the current round, and each further job the round after the one
 * before it. The first job of an account therefore waits for at most one job of every other account, however many they
 * have.
 * Redis assigns the turns (media-backend/queue/turn-keeper.ts); here, turns become priorities of BullMQ.
 */

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
