import type { TimeRange, Word } from '../planning/facts.ts'
import { findFillers } from './fillers.ts'
import { findRetakes } from './retakes.ts'

export interface CutOptions {
  language: string
  max_pause: number
  keep_pause: number
  padding: number
  remove_fillers: boolean
  remove_retakes: boolean
}

export interface Cuts {
  /** Ranges to keep, in order, without overlaps; never empty. */
  keep: TimeRange[]
  pauses: number
  fillers: number
  retakes: number
}

/** Shorter cuts are not worth a visible jump. */
const CUT_SECONDS_MIN = 0.08
/** A shorter gap between two words is not a pause. */
const BESIDE_SECONDS = 0.15
/** More cuts would exceed the length of one command-line argument; the shortest are skipped. */
const CUTS_MAX = 500

interface Cut extends TimeRange {
  reason: 'pause' | 'filler' | 'retake'
}

/**
 * Decides what to cut. Silent pauses longer than max_pause are shortened to keep_pause; fillers and abandoned takes
 * are removed with the pauses around them. Cuts leave `padding` around every kept word as far as the gap allows,
 * never touch a word, and begin and end on frames.
 */
export function cutSpeech(
  words: readonly Word[],
  silences: readonly TimeRange[],
  { duration_seconds, frames_per_second }: { duration_seconds: number; frames_per_second: number },
  options: CutOptions,
): Cuts {
  const fillers = options.remove_fillers ? findFillers(words, options.language) : new Set<number>()
  const retakes = options.remove_retakes ? findRetakesWithout(words, fillers) : new Set<number>()
  // If there are only fillers, they are the content.
  const removed =
    fillers.size + retakes.size < words.length ? new Set([...fillers, ...retakes]) : new Set<number>()
  const cuts = gapsBetween(words, removed, duration_seconds).flatMap((gap): Cut[] => {
    if (gap.inside.length === 0) {
      return cutPauses(gap, silences, options).map((pause) => ({ ...pause, reason: 'pause' }))
    }
    const reason = gap.inside.some(([position]) => retakes.has(position)) ? 'retake' : 'filler'
    return [{ ...cutWords(gap, silences, options), reason }]
  })
  return applyCuts(cuts, duration_seconds, frames_per_second)
}

/** Returns the gaps between kept words, before the first one and after the last one. */
function gapsBetween(words: readonly Word[], removed: ReadonlySet<number>, duration_seconds: number): Gap[] {
  const all = [...words.entries()]
  const kept = all.filter(([position]) => !removed.has(position))
  return Array.from({ length: kept.length + 1 }, (_, next) => {
    const [before, after] = [kept[next - 1], kept[next]]
    return {
      start: before?.[1].end ?? 0,
      end: after?.[1].start ?? duration_seconds,
      opens: before !== undefined,
      closes: after !== undefined,
      inside: all.slice((before?.[0] ?? -1) + 1, after?.[0] ?? all.length),
    }
  })
}

interface Gap extends TimeRange {
  /** `opens` is true if a kept word precedes the gap, `closes` if one follows it. */
  opens: boolean
  closes: boolean
  /** Words to remove, with their positions. */
  inside: [number, Word][]
}

/** Finds retakes while ignoring fillers; fillers within a take are removed with it. */
function findRetakesWithout(words: readonly Word[], fillers: ReadonlySet<number>): Set<number> {
  const positions = [...words.keys()].filter((position) => !fillers.has(position))
  const spoken = positions.flatMap((position) => words[position] ?? [])
  return new Set([...findRetakes(spoken)].flatMap((index) => positions[index] ?? []))
}

/** Returns how much of a gap stays on each side of a cut; the total is keep_pause. */
function sides(
  { opens, closes }: Pick<Gap, 'opens' | 'closes'>,
  { keep_pause, padding }: CutOptions,
): { left: number; right: number } {
  const share = opens && closes ? keep_pause / 2 : keep_pause
  return { left: opens ? Math.max(padding, share) : 0, right: closes ? Math.max(padding, share) : 0 }
}

/** Cuts removed words and the silence around them, except for the pause to keep. */
function cutWords(gap: Gap, silences: readonly TimeRange[], options: CutOptions): TimeRange {
  const { left, right } = sides(gap, options)
  const [first, last] = [gap.inside[0]?.[1].start ?? gap.end, gap.inside.at(-1)?.[1].end ?? gap.start]
  const before = silences.find(({ start, end }) => start < first && end >= first - BESIDE_SECONDS)
  const after = silences.find(({ start, end }) => start <= last + BESIDE_SECONDS && end > last)
  // A sound that is not a word ends the silence and is kept.
  const from = first - gap.start <= BESIDE_SECONDS ? gap.start : Math.max(gap.start, before?.start ?? first)
  const to = gap.end - last <= BESIDE_SECONDS ? gap.end : Math.min(gap.end, after?.end ?? last)
  return { start: Math.min(from + left, first), end: Math.max(to - right, last) }
}

/** Cuts only silence: laughter, music and unrecognized words stay. */
function cutPauses(gap: Gap, silences: readonly TimeRange[], options: CutOptions): TimeRange[] {
  return silences.flatMap((silence) => {
    const start = Math.max(gap.start, silence.start)
    const end = Math.min(gap.end, silence.end)
    if (end - start <= options.max_pause) return []
    // Next to a sound that is not a word, the pause is also kept.
    const { left, right } = sides(
      { opens: gap.opens || start > gap.start, closes: gap.closes || end < gap.end },
      options,
    )
    return [{ start: start + left, end: end - right }]
  })
}

function applyCuts(cuts: readonly Cut[], duration_seconds: number, frames_per_second: number): Cuts {
  const rate = gridRate(frames_per_second)
  const last_frame = Math.floor(duration_seconds * rate)
  const chosen = cuts
    .map((cut) => ({
      ...cut,
      start: Math.ceil(cut.start * rate - 1e-6) / rate,
      // A cut to the end includes everything after it.
      end:
        cut.end >= duration_seconds
          ? duration_seconds
          : Math.min(Math.floor(cut.end * rate + 1e-6), last_frame) / rate,
    }))
    .filter(({ start, end }) => end - start >= CUT_SECONDS_MIN)
    .sort((one, other) => other.end - other.start - (one.end - one.start))
    .slice(0, CUTS_MAX)
    .sort((one, other) => one.start - other.start)
  const count = (reason: Cut['reason']) => chosen.filter((cut) => cut.reason === reason).length
  return {
    keep: complementOf(chosen, duration_seconds),
    pauses: count('pause'),
    fillers: count('filler'),
    retakes: count('retake'),
  }
}

function complementOf(cuts: readonly TimeRange[], duration_seconds: number): TimeRange[] {
  const starts = [0, ...cuts.map(({ end }) => end)]
  const ends = [...cuts.map(({ start }) => start), duration_seconds]
  return starts
    .map((start, position) => ({ start, end: ends[position] ?? duration_seconds }))
    .filter(({ start, end }) => end > start)
}

/**
 * Returns the frame rate of the edited video. Rates above 60 are capped, and the low rates of screen recordings are
 * raised, so words fit the frame grid.
 */
export function gridRate(frames_per_second: number): number {
  return frames_per_second > 60 ? 60 : frames_per_second < 10 ? 25 : frames_per_second
}
