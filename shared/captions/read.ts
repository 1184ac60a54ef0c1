import type { Word } from '../planning/facts.ts'
import type { Cue } from './cues.ts'

const CUES_MAX = 20_000
const LINES_MAX = 4
const LINE_CHARACTERS_MAX = 500
/** Twice the word count of a three-hour movie. */
const WORDS_MAX = 50_000

const TIME = '(?:(\\d{1,3}):)?(\\d{1,2}):(\\d{2})[,.](\\d{1,3})'
const TIMING = new RegExp(`^\\s*${TIME}\\s*-->\\s*${TIME}(?:\\s.*)?$`)

/**
 * Parses SubRip or WebVTT subtitles, sorts them by time and removes tags. Spreads the duration of each subtitle
 * over its words.
 * @returns null if the text is in neither format.
 */
export function readSubtitles(text: string, duration_seconds = Number.POSITIVE_INFINITY): Cue[] | null {
  const cues: Cue[] = []
  for (const block of text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n+/)) {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => TIMING.test(line))
    const timing = TIMING.exec(lines[at] ?? '')
    if (timing === null) continue
    if (cues.length >= CUES_MAX) return null
    const [start, end] = [secondsOf(timing.slice(1, 5)), secondsOf(timing.slice(5, 9))]
    const said = lines
      .slice(at + 1)
      .map(plainLine)
      .filter((line) => line !== '')
      .slice(0, LINES_MAX)
    if (end > start && said.length > 0 && start < duration_seconds) {
      cues.push(cueOf(said, start, Math.min(end, duration_seconds)))
    }
  }
  const words = cues.reduce((sum, { lines }) => sum + lines.flat().length, 0)
  return words === 0 || words > WORDS_MAX ? null : cues.sort((one, other) => one.start - other.start)
}

function secondsOf([hours, minutes, seconds, fraction = '']: (string | undefined)[]): number {
  return (
    Number(hours ?? 0) * 3600 +
    Number(minutes) * 60 +
    Number(seconds) +
    Number(fraction.padEnd(3, '0')) / 1000
  )
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: '\u00a0', quot: '"' }

/** Removes SubRip and WebVTT tags and ASS overrides, and decodes entities. */
function plainLine(line: string): string {
  return line
    .slice(0, LINE_CHARACTERS_MAX)
    .replace(/<\/?[a-z0-9:._\s="'#-]{0,100}>/gi, '')
    .replace(/\{\\[^}]{0,200}\}/g, '')
    .replace(/&(amp|lt|gt|nbsp|quot);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/&[lr]rm;|[\p{Cc}\u2060]/gu, '')
    .trim()
}

function cueOf(lines: readonly string[], start: number, end: number): Cue {
  const rows = lines.map((line) => line.split(/\s+/u))
  const total = rows.flat().reduce((sum, text) => sum + text.length + 1, 0)
  let passed = 0
  const timed = (text: string): Word => {
    const from = start + (passed / total) * (end - start)
    passed += text.length + 1
    return { text, start: from, end: start + (passed / total) * (end - start) }
  }
  return { start, end, lines: rows.map((row) => row.map(timed)) }
}
