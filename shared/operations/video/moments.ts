import { ffmpegSeconds } from '../filters.ts'
import { type PlanRefusal, refuse } from '../operation.ts'

/** A part of a video that begins at `start` and is no longer than what is left; refused beyond the end. */
export function partOf(
  duration_seconds: number,
  { start, duration }: { start: number; duration: number },
): { start: number; seconds: number } | PlanRefusal {
  const rest = duration_seconds - start
  if (start > 0 && rest <= 0) return refuseBeyondEnd('start', start, duration_seconds)
  return { start, seconds: Math.min(duration, rest) }
}

export function refuseBeyondEnd(field: string, seconds: number, duration_seconds: number): PlanRefusal {
  return refuse(
    field,
    `${field} is ${seconds} s, but the video is only ${ffmpegSeconds(duration_seconds)} s long`,
  )
}
