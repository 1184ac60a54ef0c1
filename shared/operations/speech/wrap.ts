import type { Word } from '../facts.ts'
import { breakCost } from './breaks.ts'
import { joinWords, lengthOf } from './words.ts'

export interface WrapLimits {
  /** A wide (Chinese, Japanese, Korean) character counts as two. */
  line_characters_max: number
  lines_max: 1 | 2
  language: string
}

/** Words as one or two lines of similar length; null where they don't fit. A single word always does. */
export function wrapWords(words: readonly Word[], limits: WrapLimits): Word[][] | null {
  const length = lengthOf(joinWords(words))
  if (words.length <= 1 || length <= limits.line_characters_max) return [[...words]]
  if (limits.lines_max < 2 || length > 2 * limits.line_characters_max + 1) return null
  let best: { lines: Word[][]; cost: number } | null = null
  for (let split = 1; split < words.length; split += 1) {
    const lines = [words.slice(0, split), words.slice(split)]
    const cost = splitCost(lines, limits)
    if (cost !== null && (best === null || cost < best.cost)) best = { lines, cost }
  }
  return best?.lines ?? null
}

function splitCost(lines: Word[][], { line_characters_max, language }: WrapLimits): number | null {
  const [above = [], below = []] = lines
  const [first, second] = [lengthOf(joinWords(above)), lengthOf(joinWords(below))]
  const [before, after] = [above.at(-1), below[0]]
  if (Math.max(first, second) > line_characters_max || before === undefined || after === undefined)
    return null
  // The shorter line above covers less of the picture; one word alone on a line looks lost.
  const unbalanced = (Math.abs(first - second) * 12) / line_characters_max + (first > second ? 0.5 : 0)
  const orphan = above.length === 1 || below.length === 1 ? 3 : 0
  return breakCost(before, after, language) + unbalanced + orphan
}
