import type { Word } from '../planning/facts.ts'
import { blankBetween, lengthOf } from '../speech/words.ts'
import { breakCost } from './breaks.ts'

export interface WrapLimits {
  /** A wide (Chinese, Japanese, Korean) character counts as two. */
  line_characters_max: number
  lines_max: 1 | 2
  language: string
}

/** Words as one or two lines of similar length; null where they don't fit. A single word always does. */
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

/** How long the first word is, the first two, and so on. */
function lengthsOf(words: readonly Word[]): number[] {
  let length = 0
  return words.map(({ text }, position) => {
    const before = words[position - 1]
    length += lengthOf(text) + (before === undefined ? 0 : blankBetween(before.text, text).length)
    return length
  })
}

/** null where one of the two lines would be too long. */
function splitCost(
  words: readonly Word[],
  lengths: readonly number[],
  split: number,
  { line_characters_max, language }: WrapLimits,
): number | null {
  const [before, after] = [words[split - 1], words[split]]
  if (before === undefined || after === undefined) return null
  const above = lengths[split - 1] ?? 0
  const below = (lengths.at(-1) ?? 0) - above - blankBetween(before.text, after.text).length
  if (Math.max(above, below) > line_characters_max) return null
  // The shorter line above covers less of the picture; one word alone on a line looks lost.
  const unbalanced = (Math.abs(above - below) * 12) / line_characters_max + (above > below ? 0.5 : 0)
  const orphan = split === 1 || split === words.length - 1 ? 3 : 0
  return breakCost(before, after, language) + unbalanced + orphan
}
