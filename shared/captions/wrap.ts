import type { Word } from '../planning/facts.ts'
import { lengthOf, separatorBetween } from '../speech/words.ts'
import { breakCost } from './breaks.ts'

export interface WrapLimits {
  /** Wide characters (Chinese, Japanese, Korean) count as two. */
  line_characters_max: number
  lines_max: 1 | 2
  language: string
}

/**
 * Wraps words into one or two lines of similar length; returns null if they do not fit. A single word always
 * fits.
 */
export function wrapWords(words: readonly Word[], limits: WrapLimits): Word[][] | null {
  const lengths = lengthsOf(words)
  const length = lengths.at(-1) ?? 0
  if (words.length <= 1 || length <= limits.line_characters_max) return [[...words]]
  if (limits.lines_max < 2 || length > 2 * limits.line_characters_max + 1) return null
  let best: { split: number; cost: number } | null = null
  for (let split = 1; split < words.length; split += 1) {
    const cost = splitCost(words, lengths, split, limits)
    if (cost !== null && (best === null || cost < best.cost)) best = { split, cost }
  }
  return best === null ? null : [words.slice(0, best.split), words.slice(best.split)]
}

/** Returns the cumulative length after each word. */
function lengthsOf(words: readonly Word[]): number[] {
  let length = 0
  return words.map(({ text }, position) => {
    const before = words[position - 1]
    length += lengthOf(text) + (before === undefined ? 0 : separatorBetween(before.text, text).length)
    return length
  })
}

/** Returns the cost of a split, or null if one of the lines is too long. */
function splitCost(
  words: readonly Word[],
  lengths: readonly number[],
  split: number,
  { line_characters_max, language }: WrapLimits,
): number | null {
  const [before, after] = [words[split - 1], words[split]]
  if (before === undefined || after === undefined) return null
  const above = lengths[split - 1] ?? 0
  const below = (lengths.at(-1) ?? 0) - above - separatorBetween(before.text, after.text).length
  if (Math.max(above, below) > line_characters_max) return null
  // A shorter first line covers less of the frame; a single word on a line looks isolated.
  const unbalanced = (Math.abs(above - below) * 12) / line_characters_max + (above > below ? 0.5 : 0)
  const orphan = split === 1 || split === words.length - 1 ? 3 : 0
  return breakCost(before, after, language) + unbalanced + orphan
}
