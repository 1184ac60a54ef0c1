import type { LegacyEncoding } from './encodings.ts'

const FOREIGN = /[^\0-\x7f]/u
/** Says nothing about the language: quotes, dashes, notes, and the punctuation of East Asia and of Arabic. */
const PUNCTUATION =
  /[\u00a0¡£§©«®°·»¿½\u2010-\u203a\u20ac\u2116\u2122\u266a\u266b\u3000-\u301f\uff01-\uff20،؛؟]/u
const WORD = /[\p{L}\p{M}]+/gu

/**
 * Estimates from 0 to 1 how much a text looks like one of the languages of an encoding: how common its letters are, in
 * words that mix neither scripts nor cases.
 */
export function scoreText(text: string, encoding: LegacyEncoding): number {
  const words = text.match(WORD) ?? []
  const foreign = words
    .filter((word) => FOREIGN.test(word))
    .map((word) => ({ word, letters: foreignIn(word) }))
  // Box drawings, control characters and replacement characters are not letters.
  const others = foreignIn(text.replace(WORD, ''))
  const count = foreign.reduce((sum, { letters }) => sum + letters.length, others.length)
  if (count === 0) return EXPECTED
  const score = foreign
    .filter(({ word, letters }) => isPlausible(word, letters.length, encoding))
    .reduce((sum, { letters }) => sum + scoreLetters(letters, encoding), 0)
  const own_words = encoding.is_latin ? 1 : foreign.length / Math.max(1, words.length)
  return (score / count) * (0.5 + 0.5 * own_words)
}

/** The score of a letter that is possible, but not common. */
const EXPECTED = 0.6

function scoreLetters(letters: readonly string[], { frequent, expected }: LegacyEncoding): number {
  return letters.reduce(
    (sum, letter) => sum + (frequent.test(letter) ? 1 : expected.test(letter) ? EXPECTED : 0),
    0,
  )
}

function foreignIn(text: string): string[] {
  return [...text].filter((character) => FOREIGN.test(character) && !PUNCTUATION.test(character))
}

function isPlausible(word: string, foreign: number, { is_latin }: LegacyEncoding): boolean {
  if (/^\p{M}/u.test(word) || /\p{Ll}\p{Lu}/u.test(word)) return false
  // Words with letters of ASCII have few others: "déjà", but not "ãÑÍÈÇ".
  return is_latin ? word.length < 4 || foreign <= word.length * 0.6 : foreign === word.length
}
