import { decodeHTMLStrict } from 'entities/decode'
import type { SourceCues } from './read-cues.ts'

/**
 * Tags of SubRip and WebVTT: `<i>`, `</font>`, `<c.yellow>`, `<00:01.000>`, `<font face="A, B">`. Only some tags have
 * words of their own, as `<v Name of the speaker>`; `x <y and z> a` remains text.
 */
const TAGS = [
  String.raw`/?[a-z][a-z0-9]{0,20}(?:\.[^\s<>.]{1,50}){0,9} {0,9}/?`,
  String.raw`(?:v|lang|c|font|span|ruby|rt)(?:\.[^\s<>.]{1,50}){0,9}\s[^<>]{0,300}`,
  String.raw`[a-z][a-z0-9]{0,20}\s[^<>=]{1,30}=[^<>]{0,300}`,
  ' {0,3}/? {0,3}[bius] {0,3}',
  String.raw`\d{1,4}:\d{2}(?::\d{2})?\.\d{3}`,
]
const TAG = new RegExp(`<(?:${TAGS.join('|')})>`, 'gi')
const LINE_BREAK_TAG = /<br ?\/?>/gi
const OVERRIDE = /\{\\[a-z\d][^{}]{0,300}\}/gi

/** Returns the lines that viewers read: without tags, and with entities decoded. */
export function cueLines(text: string, format: SourceCues['format']): string[] {
  return (
    (format === 'ass' ? text : decodeHTMLStrict(withoutTags(text)))
      .toWellFormed()
      .replace(/[\t\v\f]/g, ' ')
      // The service writes word joiners, so that no text becomes a tag.
      .replace(/[^\P{Cc}\n]|\u2060/gu, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  )
}

function withoutTags(text: string): string {
  return text.replace(LINE_BREAK_TAG, '\n').replace(TAG, '').replace(OVERRIDE, '')
}
