/** Time limit of an attempt at a job, unless a deployment sets its own. Contract: Limits, Longest run. */
export const RUN_SECONDS_MAX = 8 * 60 * 60

/** The smallest machine that may serve the long lane, one job at a time (docs/scale.md). */
export const SMALLEST_WORKER = { cores: 2 } as const

/**
 * How much longer than the estimate an encode of video with grain takes. Measured with x264, x265 and VP9 (docs/scale.md):
 * 1.1 to 1.7. It was not measured with SVT-AV1.
 */
const GRAIN_FACTOR = 1.75

/** How long a run takes on the smallest worker, and how long it may take. */
export interface LongRun {
  seconds: number
  limit_seconds: number
}

/**
 * Returns how long a job runs on the smallest worker if that is longer than a run may take; otherwise null.
 * @param cpu_seconds the estimate of the whole job (typical-times.ts)
 */
export function findLongRun(cpu_seconds: number, limit_seconds = RUN_SECONDS_MAX): LongRun | null {
  const seconds = (cpu_seconds * GRAIN_FACTOR) / SMALLEST_WORKER.cores
  return seconds > limit_seconds ? { seconds, limit_seconds } : null
}
