import type { TimeRange } from '../planning/facts.ts'
import { isAss, readAss } from './read-ass.ts'
import type { SourceCue } from './source-cue.ts'
import { readTimingLine } from './timing-line.ts'

export interface SourceCues {
  format: 'srt' | 'vtt' | 'ass'
  cues: SourceCue[]
}

/**
 * Finds the cues of SubRip, WebVTT or ASS. A cue begins at a line with two times, whatever is around it, as in players:
 * files lack empty lines, numbers and headers, or have too many of them.
 */
export function readCues(text: string): SourceCues {
  const lines = splitLines(text)
  if (isAss(text)) return { format: 'ass', cues: readAss(lines) }
  const format = /^\s*WEBVTT/.test(text) ? 'vtt' : 'srt'
  const timings: (TimeRange & { index: number })[] = []
  for (const [index, line] of lines.entries()) {
    // Other arrows are typing errors, which WebVTT may have in its styles.
    const times = format === 'vtt' && !line.includes('-->') ? null : readTimingLine(line)
    if (times !== null) timings.push({ ...times, index })
  }
  const textOf = format === 'vtt' ? vttText : srtText
  const cues = timings.map(({ start, end, index }, position) => {
    const next = timings[position + 1]?.index
    return { start, end, text: textOf(lines.slice(index + 1, next), next !== undefined).join('\n') }
  })
  return { format, cues }
}

/** Splits text at line breaks of every system, also where a conversion doubled the carriage return. */
function splitLines(text: string): string[] {
  // Joined files have byte order marks in the middle.
  return text
    .replaceAll('\uFEFF', '')
    .replaceAll('\0', '\uFFFD')
    .split(/\r\r?\n|\r|\n/)
}

/** In WebVTT, an empty line ends the text, and so does an arrow. Notes, styles and identifiers follow. */
function vttText(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => line === '' || line.includes('-->'))
  return end === -1 ? lines : lines.slice(0, end)
}

/** In SubRip, the text may have empty lines. Leaves out the number of the next cue, or another identifier. */
function srtText(lines: readonly string[], has_next: boolean): readonly string[] {
  if (!has_next) return lines
  const [before = '', last = ''] = [lines.at(-2), lines.at(-1)]
  const is_identifier = /^\s*\d+\s*$/.test(last) || (before.trim() === '' && lines.length > 1)
  return is_identifier ? lines.slice(0, -1) : lines
}
