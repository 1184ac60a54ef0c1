import type { Word } from '../planning/facts.ts'
import { UNSPACED_SCRIPTS } from '../text/characters.ts'

const ENDS_UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}\\u3001-\\u3003\\uff01-\\uff0f]$`, 'u')
const BEGINS_UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS}]`, 'u')
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u

const MAY_BE_WIDE = /[\u1100-\uffff]/

const WORD_SECONDS_MIN = 0.02

/** Joins words into text, with spaces if the script uses them. */
export function joinWords(words: readonly Pick<Word, 'text'>[]): string {
  let text = ''
  for (const word of words) text += text === '' ? word.text : separatorBetween(text, word.text) + word.text
  return text
}

/** Returns the separator between two words: none in scripts without spaces. */
export function separatorBetween(before: string, after: string): string {
  return ENDS_UNSPACED.test(before) && BEGINS_UNSPACED.test(after) ? '' : ' '
}

/** Returns the display length: Chinese, Japanese and Korean characters count as two. */
export function lengthOf(text: string): number {
  // Fast path for scripts without wide characters; this runs a thousand times per minute of speech.
  if (!MAY_BE_WIDE.test(text)) return text.length
  let length = 0
  for (const character of text) length += WIDE.test(character) ? 2 : 1
  return length
}

/** Normalizes words: drops empty ones, puts them in order, removes overlaps and gives each a duration. */
export function orderWords(words: readonly Word[], duration_seconds = Number.POSITIVE_INFINITY): Word[] {
  const said = words
    .map((word) => ({
      ...word,
      text: word.text
        .toWellFormed()
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim(),
    }))
    .filter(({ text, start, end }) => text !== '' && Number.isFinite(start) && Number.isFinite(end))
    .sort((one, other) => one.start - other.start)
  const ordered: Word[] = []
  for (const [position, word] of said.entries()) {
    const free_from = ordered.at(-1)?.end ?? 0
    const start = Math.min(Math.max(word.start, free_from), duration_seconds)
    const next = said[position + 1]?.start ?? Number.POSITIVE_INFINITY
    const end = Math.max(Math.min(word.end, next, duration_seconds), start + WORD_SECONDS_MIN)
    ordered.push({ ...word, start, end })
  }
  return ordered
}

/** Returns a word in lowercase without punctuation, for comparisons. */
export function normalizeWord(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}'-]/gu, '')
}
