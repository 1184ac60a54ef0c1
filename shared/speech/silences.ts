import type { TimeRange } from '../planning/facts.ts'

/** Length of the windows in which loudness is measured. */
export const WINDOW_SECONDS = 0.02
/** Shorter silences occur within words, such as before a p or t. */
const SILENCE_SECONDS_MIN = 0.12

/** Audio below the first level is silence in every recording; audio above the second never is. */
const CERTAIN_DB = -60
const LOUDEST_DB = -28
/** The threshold is this far above the noise floor or this far below the speech, whichever is higher. */
const ABOVE_FLOOR_DB = 6
const BELOW_SPEECH_DB = 22

/**
 * Finds silences from the level (dBFS) of each window. The threshold depends on the recording, because rooms differ
 * in noise. A recording without quiet parts has no silences.
 */
export function findSilences(levels: readonly number[]): TimeRange[] {
  const threshold = silenceThreshold(levels)
  const silences: TimeRange[] = []
  let from: number | null = null
  for (let index = 0; index <= levels.length; index += 1) {
    const level = levels[index]
    const is_silent = level !== undefined && level < threshold
    if (is_silent && from === null) from = index
    if (is_silent || from === null) continue
    const silence = { start: from * WINDOW_SECONDS, end: index * WINDOW_SECONDS }
    if (silence.end - silence.start >= SILENCE_SECONDS_MIN) silences.push(silence)
    from = null
  }
  return silences
}

function silenceThreshold(levels: readonly number[]): number {
  const sorted = [...levels].sort((one, other) => one - other)
  const share = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? CERTAIN_DB
  const [floor, speech] = [share(0.05), share(0.9)]
  const threshold = Math.max(floor + ABOVE_FLOOR_DB, speech - BELOW_SPEECH_DB)
  // If the noise floor and the speech are equally loud, nothing is a pause.
  const below_speech = Math.min(threshold, speech - ABOVE_FLOOR_DB)
  return Math.min(LOUDEST_DB, Math.max(CERTAIN_DB, below_speech))
}
