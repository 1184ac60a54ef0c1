/**
 * Wraps a text and finds its size without a font at hand: widths of characters are estimated, a little
 * too wide rather than too narrow. All widths are in em, the font's nominal size.
 */

export interface FittedText {
  lines: string[]
  /** Pixels of an em. */
  size: number
}

export interface TextFit {
  /** The room, in pixels. */
  width: number
  height: number
  size_max: number
  /** With a larger size than this a text stays on fewer lines. */
  size_comfortable: number
  lines_max: number
}

/** From baseline to baseline, in em: Noto Sans is this tall. */
export const LINE_HEIGHT_EM = 1.362

/** Below this nobody can read it; a text that still doesn't fit is broken within its words. */
const SIZE_MIN = 6
const SHRINK = 0.94

/** Fewest lines first, as long as the size stays comfortable; else the lines that allow the largest size. */
export function fitText(text: string, fit: TextFit): FittedText {
  let best: FittedText | null = null
  for (let count = 1; count <= fit.lines_max; count += 1) {
    const fitted = fitLines(text, fit, count)
    if (fitted !== null && (best === null || fitted.size > best.size)) best = fitted
    if (best !== null && best.size >= fit.size_comfortable) return best
  }
  return best ?? { lines: wrapText(text, fit.width / SIZE_MIN, true) ?? [], size: SIZE_MIN }
}

function fitLines(text: string, fit: TextFit, count: number): FittedText | null {
  const size_max = Math.min(fit.size_max, fit.height / (count * LINE_HEIGHT_EM))
  for (let size = size_max; size >= SIZE_MIN; size *= SHRINK) {
    const lines = wrapText(text, fit.width / size)
    if (lines === null || lines.length > count) continue
    return { lines: balanceLines(text, fit.width / size, lines), size }
  }
  return null
}

/** As many lines as before, but of similar length: no single word is left on the last one. */
function balanceLines(text: string, width: number, lines: string[]): string[] {
  let balanced = lines
  for (let share = 0.95; share > 0.5; share -= 0.05) {
    const narrower = wrapText(text, width * share)
    if (narrower === null || narrower.length > lines.length) break
    balanced = narrower
  }
  return balanced
}

/** Breaks a text into lines of at most `width` em; null where a word is wider, unless words may be broken. */
export function wrapText(text: string, width: number, may_break_words = false): string[] | null {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    const parts = breakableParts(paragraph)
    const is_too_wide = (part: string) => widthOf(part.trim()) > width
    if (parts.some(is_too_wide) && !may_break_words) return null
    lines.push(
      ...fillLines(
        parts.flatMap((part) => (is_too_wide(part) ? [...part] : [part])),
        width,
      ),
    )
  }
  return lines
}

function fillLines(parts: readonly string[], width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const part of parts) {
    if (line !== '' && widthOf((line + part).trimEnd()) > width) {
      lines.push(line.trimEnd())
      line = part
    } else line += part
  }
  return [...lines, line.trimEnd()]
}

/** Scripts that are written without blanks between the words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** The parts of a line between which it may be broken; blanks stay at the end of the part before them. */
function breakableParts(line: string): string[] {
  const words = line.match(/\S+\s*|^\s+/g) ?? []
  return words.flatMap((word) => (UNSPACED.test(word) ? segmentWords(word) : [word]))
}

/** Words of a text without blanks; what is no word, punctuation and the like, stays with the word before. */
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

export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += widthOfCharacter(character)
  return width
}

/** The first that matches says the width, as measured on the fonts that are listed in system-packages.txt. */
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
