import type { JobCosts, Measured } from './figures.ts'

/** docs/scale.md names the commands that printed these figures, and the machine. */
export const MEASURED: Measured = {
  jobs: {
    image: costs([101.1, 110.6, 36.8], 3932, 3_600_000),
    thumbnail: costs([463.7, 231.9, 70], 8192, 30_470_000),
    copy: costs([609.8, 729.3, 56], 4915, 30_470_000),
    encode: costs([52_599.6, 1816.5, 630], 22_528, 30_470_000),
  },
  archived_job_bytes: 614,
  waiting_job_bytes: 1481,
  writes_per_job: 3,
  database_commits_per_second: 67,
}

/** Redis was measured on images only: the few videos of a run use less of it than the clock of the kernel counts. */
function costs(
  [fleet_ms, worker_ms, database_ms]: [number, number, number],
  database_bytes: number,
  input_bytes: number,
): JobCosts {
  return { fleet_ms, worker_ms, redis_ms: 1.8, database_ms, database_bytes, input_bytes }
}
