import { cleanText, isColoredEmoji, splitEmoji } from '../text/characters.ts'
import { alignmentOf, type Place } from '../text/positions.ts'
import type { AssScript } from './ass-script.ts'
import { emojiSpace } from './emoji-spaces.ts'
import { LINE_HEIGHT_EM } from './text.ts'

/**
 * Writes ASS scripts. libass renders their text, shapes every writing system and picks a system font that has the
 * characters.
 */

export interface AssStyle {
  /** Font size in pixels (1 em). */
  size: number
  /** "#rrggbb" */
  color: string
  /** From 0 (transparent) to 1 (opaque). */
  opacity: number
  bold: boolean
  /** Width of the dark outline, in pixels. */
  outline: number
  /** Offset of the soft dark shadow, in pixels. */
  shadow: number
}

/** Text anchored at a point in the frame. */
export interface AssText {
  /** The part of the text that lies on the anchor point, numbered as on a numeric keypad. */
  anchor: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
  x: number
  y: number
  /** Counterclockwise rotation. */
  angle_degrees?: number
  parts: { style: AssStyle; lines: string[] }[]
}

/** Returns the anchor that keeps text at this position within the frame. */
export function keypadAnchor(place: Place): AssText['anchor'] {
  const share = alignmentOf(place)
  // On a numeric keypad, 1 is at the bottom left.
  return (1 + 2 * share.x + 3 * (2 - 2 * share.y)) as AssText['anchor']
}

const FONT = 'Noto Sans'

/** Longer than any video. */
const THROUGHOUT_SECONDS = 99 * 3600

/** Returns a script that displays the texts throughout the video, for a frame of this size. */
export function assScript(size: { width: number; height: number }, texts: readonly AssText[]): AssScript {
  const styles = [...new Set(texts.flatMap(({ parts }) => parts.map(({ style }) => style)))]
  const nameOf = (style: AssStyle) => `s${styles.indexOf(style)}`
  const head = [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${size.width}`,
    `PlayResY: ${size.height}`,
    // Breaks lines only at \N.
    'WrapStyle: 2',
    'ScaledBorderAndShadow: yes',
    '',
    '[V4+ Styles]',
    `Format: ${STYLE_FIELDS}`,
    ...styles.map((style) => styleLine(nameOf(style), style)),
  ]
  const events = texts.map((text) => ({
    ...{ start: 0, end: THROUGHOUT_SECONDS, style: nameOf(firstStyle(text)) },
    text: eventText(text, nameOf),
  }))
  return { head, events }
}

const STYLE_FIELDS =
  'Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, Bold, ' +
  'BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding'

function styleLine(name: string, style: AssStyle): string {
  return `Style: ${[
    name,
    FONT,
    // In ASS, the font size is the line height, not the em.
    number(style.size * LINE_HEIGHT_EM),
    assColor(style.color, style.opacity),
    assColor('#000000', style.opacity * 0.7),
    assColor('#000000', style.opacity * 0.6),
    style.bold ? -1 : 0,
    1,
    number(style.outline),
    number(style.shadow),
    ...[7, 0, 0, 0],
    // -1 detects the writing direction from the text.
    -1,
  ].join(',')}`
}

function firstStyle({ parts }: AssText): AssStyle {
  const [first] = parts
  if (first === undefined) throw new Error('a text has at least one part')
  return first.style
}

function eventText(
  { anchor, x, y, angle_degrees, parts }: AssText,
  nameOf: (style: AssStyle) => string,
): string {
  const rotation = angle_degrees === undefined ? '' : `\\frz${number(angle_degrees)}`
  const place = `{\\an${anchor}\\pos(${number(x)},${number(y)})}`
  const texts = parts.map(
    // Resetting the style also resets the rotation.
    ({ style, lines }) =>
      `{\\r${nameOf(style)}${rotation}}${lines.map((line) => escapeAss(line, style.size)).join('\\N')}`,
  )
  return place + texts.join('\\N')
}

/**
 * Escapes text from callers for ASS, so it cannot add override blocks, escapes or lines. Leaves a space for each
 * colored emoji.
 * @param em_pixels font size.
 */
export function escapeAss(text: string, em_pixels: number): string {
  return splitEmoji(cleanText(text))
    .map((part) => (isColoredEmoji(part) ? emojiSpace(part, em_pixels) : escapePlain(part)))
    .join('')
    .replace(/^ /, '\\h')
}

function escapePlain(text: string): string {
  return (
    text
      // An invisible word joiner keeps the backslash from starting an escape.
      .replaceAll('\\', '\\\u2060')
      .replaceAll('{', '\\{')
      .replaceAll('}', '\\}')
      .replaceAll('\n', '\\N')
  )
}

/** Formats a color for ASS, in the order transparency, blue, green, red. */
export function assColor(color: string, opacity: number): string {
  const [red, green, blue] = [color.slice(1, 3), color.slice(3, 5), color.slice(5, 7)]
  const alpha = Math.round((1 - opacity) * 255)
    .toString(16)
    .padStart(2, '0')
  return `&H${alpha}${blue}${green}${red}`.toUpperCase()
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** Returns a file name that contains a hash of the content (VideoEdit.texts). */
export function contentFile(content: string, extension: 'ass' | 'png' | 'mkv'): string {
  let hash = 0x811c9dc5
  for (const character of content) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return `text-${hash.toString(16).padStart(8, '0')}.${extension}`
}
