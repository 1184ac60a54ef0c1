import type { TimeRange } from '../../shared/planning/facts.ts'
import { findSilences, WINDOW_SECONDS } from '../../shared/speech/silences.ts'

/** At pauses from this length on the engine mostly ends an utterance by itself, and hears better if it does. */
const PAUSE_SECONDS_MIN = 0.4
/** Speech without such a pause is cut into utterances between these lengths. */
const UTTERANCE_SECONDS_MIN = 10
const UTTERANCE_SECONDS_MAX = 20
/** A quiet moment is found within so long, even if what is left behind it is then a little shorter. */
const SEARCHED_SECONDS_MIN = 2
/** A seam lies in the middle of a moment of this length: longer than the closure before a p or t. */
const QUIET_SECONDS = 0.16

/**
 * Where to part speech that goes on without a pause, in seconds: at its quietest moments, every 10 to 20 s.
 * The engine says nothing while it goes over a whole utterance again, which takes longer the longer it is.
 * @param levels loudness (dBFS) of each window of WINDOW_SECONDS.
 */
export function findSeams(levels: readonly number[]): number[] {
  const pauses = findSilences(levels).filter(({ start, end }) => end - start >= PAUSE_SECONDS_MIN)
  const end_seconds = levels.length * WINDOW_SECONDS
  return [...pauses, { start: end_seconds, end: end_seconds }].flatMap(({ start }, index) =>
    partSpeech(levels, { start: pauses[index - 1]?.end ?? 0, end: start }),
  )
}

function partSpeech(levels: readonly number[], { start, end }: TimeRange): number[] {
  const seams: number[] = []
  for (let from = start; end - from > UTTERANCE_SECONDS_MAX; ) {
    const earliest = from + UTTERANCE_SECONDS_MIN
    const latest = Math.min(from + UTTERANCE_SECONDS_MAX, end - UTTERANCE_SECONDS_MIN)
    from = quietestPoint(levels, { start: earliest, end: Math.max(latest, earliest + SEARCHED_SECONDS_MIN) })
    seams.push(from)
  }
  return seams
}

/** The middle of the quietest QUIET_SECONDS within a range. */
function quietestPoint(levels: readonly number[], { start, end }: TimeRange): number {
  const windows = Math.round(QUIET_SECONDS / WINDOW_SECONDS)
  const [first, last] = [Math.round(start / WINDOW_SECONDS), Math.round(end / WINDOW_SECONDS) - windows]
  const points = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const powers = points.map((point) =>
    levels.slice(point, point + windows).reduce((sum, level) => sum + 10 ** (level / 10), 0),
  )
  const quietest = first + powers.indexOf(Math.min(...powers))
  return (quietest + windows / 2) * WINDOW_SECONDS
}
