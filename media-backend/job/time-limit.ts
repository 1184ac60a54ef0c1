import type { Plan } from '../../shared/planning/operation.ts'
import type { FramePass } from '../../shared/planning/steps.ts'
import { passPixels } from '../../shared/planning/work.ts'
import { timeLimitFailure } from '../runtime/failure.ts'
import type { Run } from '../runtime/run.ts'

/**
 * Lower bounds for the speed of a busy worker. Measured: VP9 noise, the slowest case, encodes at 560,000 pixels per
 * second on two cores shared by eight busy processes. Slower work is stuck and would block the worker.
 */
const START_SECONDS = 300
const DRAWN_PIXELS_PER_SECOND = 500_000
const DECODED_PIXELS_PER_SECOND = 10_000_000
const AUDIO_SECONDS_PER_SECOND = 10
/** A header can declare less than the file contains, but longer files have more bytes. */
const BYTES_PER_SECOND = 50_000

/** The input that a plan processes. */
export interface Workload {
  /** null if the input is not a video. */
  video: FramePass | null
  audio_seconds: number
  bytes: number
}

/** Returns the time limit for a plan's steps. Without a workload, only the job's limit applies. */
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

/** Timers of Node cannot be longer. A longer one would end after a millisecond. */
const TIMER_MS_MAX = 2 ** 31 - 1

/**
 * Runs work under a signal that also aborts when time is up. Outages of the storage do not count.
 * @throws JobFailure time_limit.
 */
export async function withTimeLimit<T>(
  seconds_max: number,
  { signal, waits }: Pick<Run, 'signal' | 'waits'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const outageSeconds = () => waits?.outageSeconds() ?? 0
  let timer: NodeJS.Timeout | undefined
  const start = (seconds: number, outage_before = outageSeconds()) => {
    timer = setTimeout(
      () => {
        const more_seconds = outageSeconds() - outage_before
        if (more_seconds > 0) start(more_seconds)
        else limit.abort(timeLimitFailure())
      },
      Math.min(seconds * 1000, TIMER_MS_MAX),
    )
  }
  start(seconds_max)
  try {
    return await work(AbortSignal.any([signal, limit.signal]))
  } finally {
    clearTimeout(timer)
  }
}
