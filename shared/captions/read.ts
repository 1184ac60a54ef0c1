import type { Word } from '../planning/facts.ts'
import { splitGraphemes } from '../text/characters.ts'
import { cueLines } from './cue-text.ts'
import type { Cue } from './cues.ts'
import { readCues } from './read-cues.ts'

/** Twice the word count of a three-hour movie. */
const WORDS_MAX = 50_000
/** What is longer is not a subtitle; libass would take minutes to lay it out. */
const CUE_CHARACTERS_MAX = 10_000
/** Longer words are split, so that each fits on a line. */
const WORD_CHARACTERS_MAX = 200

/** The limits of readSubtitles, for texts. */
export const SUBTITLE_LIMITS = { words_max: WORDS_MAX, cue_characters_max: CUE_CHARACTERS_MAX }

/**
 * Reads SubRip, WebVTT or ASS, sorts the subtitles by time and removes tags. Spreads the duration of each subtitle over
 * its words.
 * @returns no subtitles if the text contains none; null if it exceeds SUBTITLE_LIMITS.
 */
export function readSubtitles(text: string, duration_seconds = Number.POSITIVE_INFINITY): Cue[] | null {
  const { format, cues: source } = readCues(text)
  const cues: Cue[] = []
  let words = 0
  for (const { start, end, text: written } of source) {
    if (!(end > start && start < duration_seconds)) continue
    if (written.length > CUE_CHARACTERS_MAX) return null
    const cue = cueOf(cueLines(written, format), start, Math.min(end, duration_seconds))
    words += cue.lines.flat().length
    if (words > WORDS_MAX) return null
    if (cue.lines.length > 0) cues.push(cue)
  }
  return cues.sort((one, other) => one.start - other.start)
}

function cueOf(lines: readonly string[], start: number, end: number): Cue {
  const rows = lines.map((line) => line.split(/\s+/u).flatMap(splitWord))
  const total = rows.flat().reduce((sum, text) => sum + text.length + 1, 0)
  let passed = 0
  const timed = (text: string): Word => {
    const from = start + (passed / total) * (end - start)
    passed += text.length + 1
    return { text, start: from, end: start + (passed / total) * (end - start) }
  }
  return { start, end, lines: rows.map((row) => row.map(timed)) }
}

function splitWord(word: string): string[] {
  if (word.length <= WORD_CHARACTERS_MAX) return [word]
  const characters = splitGraphemes(word)
  return Array.from({ length: Math.ceil(characters.length / WORD_CHARACTERS_MAX) }, (_, index) =>
    characters.slice(index * WORD_CHARACTERS_MAX, (index + 1) * WORD_CHARACTERS_MAX).join(''),
  )
}
