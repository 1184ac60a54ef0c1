/**
 * Ranks of jobs in the fleet's queues: 1 is served first. Tiers and plans start at multiples of PRIORITY_STEP. Within
 * them, accounts take turns in the fleet (media-backend/queue/rules/turns.ts). The values between two multiples, which
 * count a caller's open jobs, serve fleets that know no turns.
 */

export const PRIORITY_STEP = 10
/** Jobs beyond this number share the lowest priority of their tier or plan and never reach the next range. */
const OPEN_JOBS_COUNTED_MAX = PRIORITY_STEP - 2
/** The lowest priority that an overdue job can have. */
export const OVERDUE_PRIORITY_MAX = 1 + OPEN_JOBS_COUNTED_MAX

/**
 * Returns the priority of a caller's next job.
 * @param base the base priority of the tier or plan.
 * @param open the number of open jobs the caller has.
 */
export function queuePriority(base: number, open: number): number {
  return base + Math.min(open, OPEN_JOBS_COUNTED_MAX)
}

/** Returns the priority of an overdue job: ahead of all tiers, with callers ranked in the same order. */
export function overduePriority(priority: number): number {
  return priority < PRIORITY_STEP ? priority : 1 + (priority % PRIORITY_STEP)
}
