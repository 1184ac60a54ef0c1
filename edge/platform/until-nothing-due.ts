/** A task of the cron trigger may run this long; the next run, a minute later, continues. */
export const BUDGET_MS = 20_000

/**
 * Repeats a page of a task until nothing is due or the time of the task is over, so that a backlog drains faster than
 * it grows.
 * @param runPage returns true if more may be due.
 */
export async function untilNothingDue(runPage: () => Promise<boolean>, budget_ms = BUDGET_MS): Promise<void> {
  // The clock of a test may stand still.
  const until = Date.now() + budget_ms
  while ((await runPage()) && Date.now() < until);
}
