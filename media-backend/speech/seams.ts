import type { TimeRange } from '../../shared/planning/facts.ts'
import { findSilences, WINDOW_SECONDS } from '../../shared/speech/silences.ts'

/** The engine usually ends an utterance at a pause of at least this length, and then recognizes words better. */
const PAUSE_SECONDS_MIN = 0.4
/** Speech without such a pause is split into utterances whose lengths are between these limits. */
const UTTERANCE_SECONDS_MIN = 10
const UTTERANCE_SECONDS_MAX = 20
/**
 * Minimum length of the range searched for a quiet position, even if the last utterance becomes slightly too short.
 */
const SEARCHED_SECONDS_MIN = 2
/** Length of the quiet part around a seam. It exceeds the brief silence before a "p" or "t". */
const QUIET_SECONDS = 0.16

/**
 * Returns the positions in seconds at which to split speech without pauses: the quietest ones, every 10 to 20 s.
 * The engine blocks while it processes an utterance, and longer utterances block it for longer.
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

/** Returns the middle of the quietest section of length QUIET_SECONDS in a range. */
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
