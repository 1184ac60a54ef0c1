import type { Plan } from '../../shared/planning/operation.ts'
import type { FramePass } from '../../shared/planning/steps.ts'
import { passPixels } from '../../shared/planning/work.ts'
import { timeLimitFailure } from '../runtime/failure.ts'

/**
 * How slow a busy worker may be. Measured: two cores shared by eight busy processes encode noise to VP9, the slowest
 * case, at 560,000 pixels a second. Work that is slower than this is stuck, and would keep the worker from others.
 */
const START_SECONDS = 300
const DRAWN_PIXELS_PER_SECOND = 500_000
const DECODED_PIXELS_PER_SECOND = 10_000_000
const AUDIO_SECONDS_PER_SECOND = 10
/** A header may claim less than the file holds, but a file that holds more has more bytes. */
const BYTES_PER_SECOND = 50_000

/** What a plan works on. */
export interface Workload {
  /** null: no moving picture. */
  video: FramePass | null
  audio_seconds: number
  bytes: number
}

/** Returns how long the steps of a plan may take. Without a workload only the job's own limit holds. */
export function stepSecondsMax({ passes = [] }: Pick<Plan, 'passes'>, workload: Workload | null): number {
  if (workload === null) return Number.POSITIVE_INFINITY
  const { video, audio_seconds, bytes } = workload
  const drawn = passes.reduce((sum, pass) => sum + passPixels(pass), 0)
  return (
    START_SECONDS +
    drawn / DRAWN_PIXELS_PER_SECOND +
    (video === null ? 0 : passPixels(video)) / DECODED_PIXELS_PER_SECOND +
    audio_seconds / AUDIO_SECONDS_PER_SECOND +
    bytes / BYTES_PER_SECOND
  )
}

/** Runs work under a signal that also aborts when the time is over. @throws JobFailure time_limit. */
export async function withTimeLimit<T>(
  seconds_max: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(timeLimitFailure()), seconds_max * 1000)
  try {
    return await work(AbortSignal.any([signal, limit.signal]))
  } finally {
    clearTimeout(timer)
  }
}
