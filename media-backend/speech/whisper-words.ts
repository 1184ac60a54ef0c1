import type { Word } from '../../shared/planning/facts.ts'
import { hasUnspaced } from '../../shared/text/characters.ts'
import type { Piece } from './whisper-lines.ts'

/**
 * Combines the words of a text with the times of its pieces. A piece may contain half a character, so only the
 * whole text is spelled correctly. Spaces are never split, so they show which pieces form a word.
 */
export function wordsOfPieces(text: string, pieces: readonly Piece[]): Word[] {
  const times = timesOfWords(pieces)
  const spelled = text.split(/\s+/u).filter((word) => word !== '')
  const words = spelled.flatMap((word, position) => {
    const time = times[position]
    return time === undefined ? [] : splitUnspaced({ text: word, start: time.t0 / 1000, end: time.t1 / 1000 })
  })
  return withoutNotes(words)
}

function timesOfWords(pieces: readonly Piece[]): { t0: number; t1: number }[] {
  const times: { t0: number; t1: number }[] = []
  let is_open = false
  for (const { text, t0, t1 } of pieces) {
    for (const [position, part] of text.split(/\s+/u).entries()) {
      if (position > 0) is_open = false
      if (part === '') continue
      const last = times.at(-1)
      if (is_open && last !== undefined) last.t1 = t1
      else times.push({ t0, t1 })
      is_open = true
    }
  }
  return times
}

/** Splits a sentence in Chinese, Japanese or a similar language into words and divides its time among them. */
function splitUnspaced(word: Word): Word[] {
  if (!hasUnspaced(word.text)) return [word]
  const parts: string[] = []
  for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(
    word.text,
  )) {
    if (isWordLike === true || parts.length === 0) parts.push(segment)
    else parts[parts.length - 1] += segment
  }
  const seconds = (word.end - word.start) / word.text.length
  let at = word.start
  return parts.map((text) => {
    const start = at
    at += text.length * seconds
    return { text, start, end: at }
  })
}

/** Removes whisper's annotations of sounds that are not speech: "[Music]", "(applause)", "♪". */
function withoutNotes(words: readonly Word[]): Word[] {
  let closing: string | null = null
  return words.filter(({ text }) => {
    if (closing === null && /^[[(]/.test(text)) closing = text.startsWith('[') ? ']' : ')'
    if (closing === null) return !/^[♪♫*]+$/u.test(text)
    if (text.includes(closing)) closing = null
    return false
  })
}
