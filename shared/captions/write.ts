import { z } from 'zod'
import type { Transcript, Word } from '../planning/facts.ts'
import { joinWords } from '../speech/words.ts'
import { endsSentence } from './breaks.ts'
import type { Cue } from './cues.ts'

export const TranscriptFormat = z
  .enum(['txt', 'srt', 'vtt', 'json'])
  .default('txt')
  .describe('txt is plain text, srt and vtt are subtitles, json has word timestamps')
export type TranscriptFormat = z.output<typeof TranscriptFormat>

/** A new paragraph starts after a pause of this length, or with the next sentence after this many words. */
const PARAGRAPH_PAUSE_SECONDS = 2
const PARAGRAPH_WORDS = 80

/** Writes plain text in paragraphs. */
export function writeText(words: readonly Word[]): string {
  const paragraphs: Word[][] = []
  for (const word of words) {
    const paragraph = paragraphs.at(-1)
    const before = paragraph?.at(-1)
    if (paragraph === undefined || before === undefined || beginsParagraph(before, word, paragraph.length)) {
      paragraphs.push([word])
    } else paragraph.push(word)
  }
  return paragraphs.map((paragraph) => `${joinWords(paragraph)}\n`).join('\n')
}

function beginsParagraph(before: Word, word: Word, length: number): boolean {
  if (word.start - before.end >= PARAGRAPH_PAUSE_SECONDS) return true
  return length >= PARAGRAPH_WORDS && endsSentence(before)
}

/** Writes SubRip. */
export function writeSrt(cues: readonly Cue[]): string {
  return cues
    .map(({ start, end, lines }, index) => {
      const text = lines.map((line) => escapeSrt(joinWords(line))).join('\n')
      return `${index + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${text}\n`
    })
    .join('\n')
}

/** Writes WebVTT. */
export function writeVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ start, end, lines }) => {
    const text = lines.map((line) => escapeVtt(joinWords(line))).join('\n')
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${text}\n`
  })
  return ['WEBVTT\n', ...blocks].join('\n')
}

/** Writes JSON with the language, the text, and the timestamps of each word in seconds. */
export function writeJson(
  { language, words }: Transcript,
  cues: readonly Cue[],
  duration_seconds: number,
): string {
  const segments = cues.map(({ start, end, lines }) => ({
    start: rounded(start),
    end: rounded(end),
    text: joinWords(lines.flat()),
    words: lines.flat().map((word) => ({ ...word, start: rounded(word.start), end: rounded(word.end) })),
  }))
  const text = joinWords(words)
  return `${JSON.stringify({ language, duration_seconds: rounded(duration_seconds), text, segments }, null, 2)}\n`
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

/** Formats a timestamp: 3725.5 → "01:02:05,500". */
function clock(seconds: number, point: ',' | '.'): string {
  const whole = Math.max(0, Math.round(seconds * 1000))
  const [hours, minutes] = [Math.floor(whole / 3_600_000), Math.floor(whole / 60_000) % 60]
  const [rest, thousandths] = [Math.floor(whole / 1000) % 60, whole % 1000]
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(hours)}:${two(minutes)}:${two(rest)}${point}${String(thousandths).padStart(3, '0')}`
}

/** Inserts invisible word joiners, so players do not read spoken text as tags or overrides. */
function escapeSrt(text: string): string {
  return text
    .replace(/<(?=[a-z/!])/gi, '<\u2060')
    .replace(/\{(?=[\\a-z])/gi, '{\u2060')
    .replaceAll('-->', '→')
}

function escapeVtt(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
