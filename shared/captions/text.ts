import { hasUnspaced, isColoredEmoji, splitEmoji, splitGraphemes } from '../text/characters.ts'
import { EMOJI_WIDTH_EM } from './emoji-spaces.ts'

/**
 * Wraps text and chooses its font size without loading a font. Character widths are estimates that err on the wide
 * side. All widths are in em.
 */

export interface FittedText {
  lines: string[]
  /** Font size in pixels. */
  size: number
}

interface TextFit {
  /** Available space in pixels. */
  width: number
  height: number
  size_max: number
  /** Lines are added only while the text is smaller than this. */
  size_comfortable: number
  lines_max: number
}

/** Distance between baselines in em, as in Noto Sans. */
export const LINE_HEIGHT_EM = 1.362

/** Smaller text is unreadable. */
const SIZE_MIN = 6
const SHRINK = 0.94

/**
 * Fits text into a box, on as few lines as allow a comfortable size. If that is impossible, uses the number of
 * lines that allows the largest size. Breaks a word only if keeping it whole would make the text tiny.
 */
export function fitText(text: string, fit: TextFit): FittedText {
  const paragraphs = measureText(text)
  const with_whole_words = fitWords(paragraphs, fit, false)
  if (with_whole_words !== null && with_whole_words.size >= fit.size_comfortable / 3) return with_whole_words
  const with_broken_words = fitWords(paragraphs, fit, true)
  if (with_broken_words !== null && with_broken_words.size > (with_whole_words?.size ?? 0))
    return with_broken_words
  if (with_whole_words !== null) return with_whole_words
  const lines = wrap(paragraphs, fit.width / SIZE_MIN, true) ?? []
  return { lines, size: Math.min(SIZE_MIN, fit.height / (lines.length * LINE_HEIGHT_EM)) }
}

function fitWords(paragraphs: Part[][], fit: TextFit, may_break_words: boolean): FittedText | null {
  // Line breaks in the input are preserved.
  const lines_min = paragraphs.length
  let best: FittedText | null = null
  for (let count = lines_min; count <= Math.max(lines_min, fit.lines_max); count += 1) {
    const fitted = fitLines(paragraphs, fit, count, may_break_words)
    if (fitted !== null && (best === null || fitted.size > best.size)) best = fitted
    if (best !== null && best.size >= fit.size_comfortable) return best
  }
  return best
}

function fitLines(
  paragraphs: Part[][],
  fit: TextFit,
  count: number,
  may_break_words: boolean,
): FittedText | null {
  const size_max = Math.min(fit.size_max, fit.height / (count * LINE_HEIGHT_EM))
  for (let size = size_max; size >= SIZE_MIN; size *= SHRINK) {
    const width = fit.width / size
    const lines = wrap(paragraphs, width, may_break_words)
    if (lines === null || lines.length > count) continue
    return { lines: may_break_words ? lines : balanceLines(paragraphs, width, lines), size }
  }
  return null
}

/** Evens out line lengths without adding lines, so the last line is not left with a single word. */
function balanceLines(paragraphs: Part[][], width: number, lines: string[]): string[] {
  let balanced = lines
  for (let share = 0.95; share > 0.5; share -= 0.05) {
    const narrower = wrap(paragraphs, width * share, false)
    if (narrower === null || narrower.length > lines.length) break
    balanced = narrower
  }
  return balanced
}

/** Wraps text into lines of at most `width` em. Returns null if a word is too wide and words may not be broken. */
export function wrapText(text: string, width: number, may_break_words = false): string[] | null {
  return wrap(measureText(text), width, may_break_words)
}

/** A part of a line with its trailing spaces. The line can break after it. */
interface Part {
  text: string
  /** Width in em, with and without trailing spaces. */
  width: number
  shown: number
}

function measureText(text: string): Part[][] {
  return text.split('\n').map((line) => breakableParts(line).map(measurePart))
}

function measurePart(text: string): Part {
  return { text, width: widthOf(text), shown: widthOf(text.trimEnd()) }
}

function wrap(paragraphs: Part[][], width: number, may_break_words: boolean): string[] | null {
  const is_too_wide = ({ shown }: Part) => shown > width
  if (!may_break_words && paragraphs.some((parts) => parts.some(is_too_wide))) return null
  return paragraphs.flatMap((parts) =>
    fillLines(
      parts.flatMap((part) => (is_too_wide(part) ? splitGraphemes(part.text).map(measurePart) : [part])),
      width,
    ),
  )
}

function fillLines(parts: readonly Part[], width: number): string[] {
  const lines: string[] = []
  let line = ''
  let filled = 0
  for (const part of parts) {
    if (line !== '' && filled + part.shown > width) {
      lines.push(line.trimEnd())
      line = ''
      filled = 0
    }
    line += part.text
    filled += part.width
  }
  return [...lines, line.trimEnd()]
}

/** Splits a line where it can break; spaces stay at the end of the part before them. */
function breakableParts(line: string): string[] {
  const words = line.match(/\S+\s*|^\s+/g) ?? []
  return words.flatMap((word) => (hasUnspaced(word) ? segmentWords(word) : [word]))
}

/** Splits text without spaces into words; punctuation stays with the word before it. */
function segmentWords(text: string): string[] {
  const parts: string[] = []
  for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(
    text,
  )) {
    const last = parts.length - 1
    if (isWordLike === true || last < 0) parts.push(segment)
    else parts[last] += segment
  }
  return parts
}

/** Returns the width of a line in em. */
export function widthOf(text: string): number {
  let width = 0
  for (const part of splitEmoji(text)) {
    if (isColoredEmoji(part)) width += EMOJI_WIDTH_EM
    else for (const character of part) width += widthOfCharacter(character)
  }
  return width
}

/** Widths in em; the first match applies. Measured with the fonts listed in system-packages.txt. */
const WIDTHS: [RegExp, number][] = [
  [/[\p{Mn}\p{Me}\p{Cf}]/u, 0],
  [/[ iIjl.,:;'|!·’]/u, 0.31],
  [/[ftr()[\]"\-/\\“”]/u, 0.42],
  [/[mwMW@%&—…©®™]/u, 0.96],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/u, 1],
  [/[\p{Script=Hangul}\p{Script=Georgian}\p{Script=Tamil}\p{Script=Malayalam}]/u, 1],
  [/\p{Extended_Pictographic}/u, 1.3],
  [/[\p{So}\p{Sm}\p{No}]/u, 1.1],
  [/\p{Lu}/u, 0.67],
  [/[\p{Ll}\p{Nd}]/u, 0.6],
]

function widthOfCharacter(character: string): number {
  return WIDTHS.find(([pattern]) => pattern.test(character))?.[1] ?? 0.68
}
