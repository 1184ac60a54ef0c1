import { endsClause, endsSentence } from '../captions/breaks.ts'
import type { Word } from '../planning/facts.ts'
import { normalizeWord } from './words.ts'

const TAKE_WORDS_MAX = 40
/** Repetitions of at least this length are retakes even without a pause; shorter ones are emphasis ("very very"). */
const EXACT_WORDS_MIN = 2
const SIMILAR_WORDS_MIN = 3
const SIMILARITY_MIN = 0.75
/** A phrase repeated later than this is a refrain, not a retake. */
const AGAIN_SECONDS_MAX = 10
const PAUSE_SECONDS = 0.15

/**
 * Returns the positions of the words in abandoned takes: phrases repeated soon after, exactly or nearly. The last
 * take is kept.
 */
export function findRetakes(words: readonly Word[]): Set<number> {
  const plain = words.map(({ text }) => normalizeWord(text))
  const retakes = new Set<number>()
  for (let from = 0; from < words.length; ) {
    const length = lengthOfRetake(words, plain, from)
    for (let at = from; at < from + length; at += 1) retakes.add(at)
    from += Math.max(1, length)
  }
  return retakes
}

/** Returns how many words, starting here, are repeated right afterward; 0 if none. */
function lengthOfRetake(words: readonly Word[], plain: readonly string[], from: number): number {
  for (
    let length = Math.min(TAKE_WORDS_MAX, Math.floor((words.length - from) / 2));
    length >= 1;
    length -= 1
  ) {
    const [last, again] = [words[from + length - 1], words[from + length]]
    if (last === undefined || again === undefined || again.start - last.end > AGAIN_SECONDS_MAX) continue
    const first_take = plain.slice(from, from + length)
    const second_take = plain.slice(from + length, from + 2 * length)
    if (isExact(first_take, second_take) && length >= EXACT_WORDS_MIN) return length
    if (length < SIMILAR_WORDS_MIN || !parts(words, from) || !parts(words, from + length)) continue
    // A new take begins with the same word as the previous one.
    if (plain[from] === plain[from + length] && similarity(first_take, second_take) >= SIMILARITY_MIN)
      return length
  }
  return 0
}

function isExact(one: readonly string[], other: readonly string[]): boolean {
  return new Set(one).size > 1 && one.every((word, position) => word === other[position])
}

/** Checks whether the speaker paused before this word. */
function parts(words: readonly Word[], at: number): boolean {
  const [before, word] = [words[at - 1], words[at]]
  if (before === undefined || word === undefined) return true
  return word.start - before.end >= PAUSE_SECONDS || endsClause(before) || endsSentence(before)
}

/** Returns 1 minus the share of words to insert, delete or change (Levenshtein distance). */
export function similarity(one: readonly string[], other: readonly string[]): number {
  let row = other.map((_, position) => position + 1)
  for (const [position, word] of one.entries()) {
    let diagonal = position
    let left = position + 1
    row = row.map((above, column) => {
      const changed = diagonal + (word === other[column] ? 0 : 1)
      diagonal = above
      left = Math.min(changed, above + 1, left + 1)
      return left
    })
  }
  return 1 - (row.at(-1) ?? one.length) / Math.max(one.length, other.length, 1)
}
