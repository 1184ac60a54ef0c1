import type { MediaProbe } from '../../planning/facts.ts'
import type { PlanRefusal } from '../../planning/operation.ts'
import type { Cut } from './cut-range.ts'
import { refuseBeyondEnd } from './timestamps.ts'

/** Returns the part that the parameters select. Refuses a start at or beyond the end. */
export function findCut(
  params: { start: number; duration?: number | undefined },
  probe: MediaProbe,
): Cut | PlanRefusal {
  const { start } = params
  const rest = probe.duration_seconds - start
  if (start > 0 && rest <= 0) {
    return refuseBeyondEnd('start', start, probe)
  }
  const seconds = Math.min(params.duration ?? rest, rest)
  return { start, seconds, to_end: seconds === rest }
}
