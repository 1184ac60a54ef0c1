import { findLongRun } from '../../shared/planning/longest-run.ts'
import type { Environment } from '../environment.ts'
import { failWith } from '../runtime/failure.ts'

/**
 * Refuses a job that a small worker could not finish within the longest run, before its steps spend that time.
 * Contract: Limits, Longest run.
 * @param cpu_seconds the estimate of the whole job
 * @throws JobFailure time_limit, which names the estimate and the limit.
 */
export function checkRunTime(
  cpu_seconds: number,
  { JOB_SECONDS_MAX }: Pick<Environment, 'JOB_SECONDS_MAX'>,
): void {
  const long = findLongRun(cpu_seconds, JOB_SECONDS_MAX)
  if (long !== null) throw failWith('run_too_long', long)
}
