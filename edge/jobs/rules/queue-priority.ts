/**
 * Priorities in the fleet's queue: 1 is served first. Tiers and plans start at multiples of
 * PRIORITY_STEP. The room between two of them orders callers: the more jobs a caller has open, the later
 * the next one is served, so that several slow jobs of one caller never delay another caller's first.
 */

export const PRIORITY_STEP = 10
/** Jobs beyond this number share the lowest priority; the range of the next tier or plan is not used. */
const OPEN_JOBS_COUNTED_MAX = PRIORITY_STEP - 2
/** The lowest priority of overdue jobs. */
export const OVERDUE_PRIORITY_MAX = 1 + OPEN_JOBS_COUNTED_MAX

/**
 * Returns the priority of a caller's next job.
 * @param base of the tier or plan.
 * @param open number of the caller's open jobs.
 */
export function queuePriority(base: number, open: number): number {
  return base + Math.min(open, OPEN_JOBS_COUNTED_MAX)
}

/** Returns the priority of an overdue job: before all tiers, in the same order of callers. */
export function overduePriority(priority: number): number {
  return priority < PRIORITY_STEP ? priority : 1 + (priority % PRIORITY_STEP)
}
