import type { TimeRange, Word } from '../planning/facts.ts'
import { joinWords, lengthOf } from '../speech/words.ts'
import { breakCost, endsSentence } from './breaks.ts'
import { type WrapLimits, wrapWords } from './wrap.ts'

/** A subtitle: one or two lines of words, shown from start to end. */
export interface Cue extends TimeRange {
  lines: Word[][]
}

export interface CueLimits extends WrapLimits {
  characters_per_second_max: number
  seconds_min: number
  seconds_max: number
  /** Minimum gap between two subtitles, so viewers notice the change. */
  gap_seconds: number
  words_max: number
  /** Time by which all subtitles end. */
  duration_seconds: number
}

/** Common subtitling limits: 42 characters per line, 17 characters per second, 5/6 to 7 seconds. */
export const CUE_LIMITS: CueLimits = {
  line_characters_max: 42,
  lines_max: 2,
  characters_per_second_max: 17,
  seconds_min: 5 / 6,
  seconds_max: 7,
  gap_seconds: 2 / 24,
  words_max: Number.POSITIVE_INFINITY,
  language: 'en',
  duration_seconds: Number.POSITIVE_INFINITY,
}

/** How long a subtitle stays after its last word if nothing follows. */
const LINGER_SECONDS = 0.5
const PAUSE_SECONDS = 0.8

interface Choice {
  cost: number
  from: number
  lines: Word[][]
}

/**
 * Splits ordered words (orderWords) into subtitles at the lowest total cost. Keeps every word. Only a subtitle of a
 * single word can exceed a limit.
 */
export function cuesOf(words: readonly Word[], limits: CueLimits): Cue[] {
  const choices: Choice[] = [{ cost: 0, from: 0, lines: [] }]
  for (let to = 1; to <= words.length; to += 1) choices.push(bestChoice(words, to, choices, limits))
  const chosen: Word[][][] = []
  for (let to = words.length; to > 0; ) {
    const choice = choices[to]
    if (choice === undefined) break
    chosen.unshift(choice.lines)
    to = choice.from
  }
  return timeCues(chosen, limits)
}

/** Returns the best choice for the last subtitle, which ends after the first `to` words. */
function bestChoice(
  words: readonly Word[],
  to: number,
  choices: readonly Choice[],
  limits: CueLimits,
): Choice {
  let best: Choice | null = null
  for (let from = to - 1; from >= 0; from -= 1) {
    const group = words.slice(from, to)
    const lines = isTooLong(group, limits) ? null : wrapWords(group, limits)
    // Adding earlier words would only make it longer.
    if (lines === null) {
      if (
        lengthOf(joinWords(group)) > limits.lines_max * limits.line_characters_max ||
        isTooLong(group, limits)
      )
        break
      continue
    }
    const cost = (choices[from]?.cost ?? 0) + groupCost(group, words[from - 1], words[to], limits)
    if (best === null || cost < best.cost) best = { cost, from, lines }
  }
  const last = words.slice(to - 1, to)
  return best ?? { cost: choices[to - 1]?.cost ?? 0, from: to - 1, lines: [last] }
}

function isTooLong(group: readonly Word[], { seconds_max, words_max }: CueLimits): boolean {
  const [first, last] = [group[0], group.at(-1)]
  if (group.length <= 1 || first === undefined || last === undefined) return false
  return group.length > words_max || last.end - first.start > seconds_max
}

/** Returns the cost of a subtitle with these words, including a base cost per subtitle. */
function groupCost(
  group: readonly Word[],
  previous: Word | undefined,
  next: Word | undefined,
  limits: CueLimits,
): number {
  const [first, last] = [group[0], group.at(-1)]
  if (first === undefined || last === undefined) return 0
  const end = next === undefined ? 0 : breakCost(last, next, limits.language)
  return (
    4 + end + orphanCost(group, previous, next, limits) + innerCost(group) + hurryCost(group, next, limits)
  )
}

/** Returns the cost of one or two isolated words, unless pauses isolate them or `words_max` requires it. */
function orphanCost(
  group: readonly Word[],
  previous: Word | undefined,
  next: Word | undefined,
  limits: CueLimits,
) {
  if (group.length >= Math.min(3, limits.words_max)) return 0
  const [first, last] = [group[0], group.at(-1)]
  const apart_before =
    previous === undefined || first === undefined || first.start - previous.end >= PAUSE_SECONDS
  const apart_after = next === undefined || last === undefined || next.start - last.end >= PAUSE_SECONDS
  if (apart_before && apart_after) return 0
  return group.length === 1 ? 7 : 3
}

/** Returns the cost of sentence ends and pauses within a subtitle. */
function innerCost(group: readonly Word[]): number {
  let cost = 0
  for (const [position, word] of group.entries()) {
    const next = group[position + 1]
    if (next === undefined) break
    const pause = next.start - word.end
    if (pause >= PAUSE_SECONDS) cost += 12
    else if (pause >= 0.45) cost += 3
    if (endsSentence(word)) cost += 3
  }
  return cost
}

/** Returns the cost of a subtitle that viewers must read too fast before the next one starts. */
function hurryCost(group: readonly Word[], next: Word | undefined, limits: CueLimits): number {
  const [first, last] = [group[0], group.at(-1)]
  if (first === undefined || last === undefined) return 0
  const until = next === undefined ? last.end + LINGER_SECONDS : next.start - limits.gap_seconds
  const available = Math.max(0.05, Math.min(until - first.start, limits.seconds_max))
  const hurry = lengthOf(joinWords(group)) / available - limits.characters_per_second_max
  const short = Math.max(0, limits.seconds_min - available)
  return Math.min(12, Math.max(0, hurry) * 0.5) + short * 12
}

/**
 * Times each subtitle from its first word to its last, and extends it for readability, but never into the next one.
 */
function timeCues(groups: readonly Word[][][], limits: CueLimits): Cue[] {
  return groups.flatMap((lines, position) => {
    const words = lines.flat()
    const [first, last] = [words[0], words.at(-1)]
    if (first === undefined || last === undefined) return []
    const next = groups[position + 1]?.[0]?.[0]?.start ?? Number.POSITIVE_INFINITY
    const reading = lengthOf(joinWords(words)) / limits.characters_per_second_max
    const readable_end = Math.max(
      last.end + LINGER_SECONDS,
      first.start + Math.max(reading, limits.seconds_min),
    )
    const latest = first.start + Math.max(limits.seconds_max, last.end - first.start)
    const end = Math.min(readable_end, latest, beforeNext(first.start, next, limits), limits.duration_seconds)
    return [{ start: first.start, end: Math.max(end, first.start + 0.01), lines }]
  })
}

/**
 * Returns the latest possible end: the start of the next subtitle, minus the gap unless that leaves too little
 * time.
 */
function beforeNext(start: number, next: number, { gap_seconds }: CueLimits): number {
  return next - gap_seconds > start + gap_seconds ? next - gap_seconds : next
}
