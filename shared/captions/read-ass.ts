import type { SourceCue } from './source-cue.ts'

const FIELDS = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text']

/** Checks for a script of Advanced SubStation Alpha, or of SubStation Alpha. */
export function isAss(text: string): boolean {
  return /^\uFEFF?\[(?:script info|events)\]/im.test(text) && /^Dialogue:/im.test(text)
}

/** Reads the dialogue of a script, without drawings, overrides and comments. */
export function readAss(lines: readonly string[]): SourceCue[] {
  const cues: SourceCue[] = []
  let fields = FIELDS
  for (const line of lines) {
    const [, kind = '', content = ''] = /^(Format|Dialogue):(.*)$/i.exec(line) ?? []
    if (kind.toLowerCase() === 'dialogue') cues.push(...readDialogue(content, fields))
    // Styles have formats too, which name no text.
    else if (/\btext\b/i.test(content))
      fields = content
        .toLowerCase()
        .split(',')
        .map((name) => name.trim())
  }
  return cues
}

function readDialogue(content: string, fields: readonly string[]): SourceCue[] {
  const values = content.split(',')
  const fieldOf = (name: string) => values[fields.indexOf(name)]?.trim() ?? ''
  const [start, end] = [secondsOf(fieldOf('start')), secondsOf(fieldOf('end'))]
  // The text is the last field, and may have commas.
  const text = values.slice(fields.length - 1).join(',')
  return /\\p[1-9]/.test(text) ? [] : [{ start, end, text: plainText(text) }]
}

function plainText(text: string): string {
  return text
    .replace(/\{[^{}]*\}/g, '')
    .replace(/\\n/gi, '\n')
    .replaceAll('\\h', ' ')
}

/** Returns the seconds of a time such as 1:02:03.45; NaN if it is no time. */
function secondsOf(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
