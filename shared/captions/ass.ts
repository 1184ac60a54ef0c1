import { cleanText } from '../text/characters.ts'
import { type Place, shareOf } from '../text/positions.ts'
import { LINE_HEIGHT_EM } from './text.ts'

/**
 * Texts reach the picture as an ASS script in a file of its own, drawn by libass: it shapes every script
 * and takes from the system's fonts the one that has the characters.
 */

export interface AssStyle {
  /** Pixels of an em. */
  size: number
  /** "#rrggbb" */
  color: string
  /** 0 to 1. */
  opacity: number
  bold: boolean
  /** Width of a dark edge around the letters, in pixels. */
  outline: number
  /** Distance of a soft dark shadow, in pixels. */
  shadow: number
}

/** A text at a point of the picture. */
export interface AssText {
  /** Part of the text that lies at the point: as the numbers lie on a numeric keypad. */
  anchor: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
  x: number
  y: number
  /** Counter-clockwise. */
  angle_degrees?: number
  parts: { style: AssStyle; lines: string[] }[]
}

/** The part of a text that lies at one of the nine places, so that the text stays within the picture. */
export function keypadAnchor(place: Place): AssText['anchor'] {
  const share = shareOf(place)
  // On a numeric keypad 1 is at the bottom left.
  return (1 + 2 * share.x + 3 * (2 - 2 * share.y)) as AssText['anchor']
}

const FONT = 'Noto Sans'

/** A whole script that shows the texts all the time, over a picture of this size. */
export function assScript(size: { width: number; height: number }, texts: readonly AssText[]): string {
  const styles = [...new Set(texts.flatMap(({ parts }) => parts.map(({ style }) => style)))]
  const nameOf = (style: AssStyle) => `s${styles.indexOf(style)}`
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${size.width}`,
    `PlayResY: ${size.height}`,
    // Lines are broken where \N says, nowhere else.
    'WrapStyle: 2',
    'ScaledBorderAndShadow: yes',
    '',
    '[V4+ Styles]',
    `Format: ${STYLE_FIELDS}`,
    ...styles.map((style) => styleLine(nameOf(style), style)),
    '',
    '[Events]',
    'Format: Start, End, Style, Text',
    ...texts.map(
      (text) => `Dialogue: 0:00:00.00,99:59:59.00,${nameOf(firstStyle(text))},${eventText(text, nameOf)}`,
    ),
    '',
  ].join('\n')
}

const STYLE_FIELDS =
  'Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, Bold, ' +
  'BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding'

function styleLine(name: string, style: AssStyle): string {
  return `Style: ${[
    name,
    FONT,
    // What ASS calls the size of a font is its height from top to bottom.
    number(style.size * LINE_HEIGHT_EM),
    assColor(style.color, style.opacity),
    assColor('#000000', style.opacity * 0.7),
    assColor('#000000', style.opacity * 0.6),
    style.bold ? -1 : 0,
    1,
    number(style.outline),
    number(style.shadow),
    ...[7, 0, 0, 0],
    // The direction of writing follows from the text itself.
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
    // A change of style also takes a turn back.
    ({ style, lines }) => `{\\r${nameOf(style)}${rotation}}${lines.map(escapeAss).join('\\N')}`,
  )
  return place + texts.join('\\N')
}

/** Makes what a person typed plain text for ASS: no override block, no escape, no further line. */
export function escapeAss(text: string): string {
  return (
    cleanText(text)
      // A word joiner, which is not seen, keeps the backslash from starting an escape.
      .replaceAll('\\', '\\\u2060')
      .replaceAll('{', '\\{')
      .replaceAll('}', '\\}')
      .replaceAll('\n', '\\N')
      .replace(/^ /gm, '\\h')
  )
}

/** ASS writes a color as blue, green, red, and how transparent it is in front. */
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

/** Names a file of the job's folder by a hash of its content (see VideoEdit.texts). */
export function contentFile(content: string, extension: 'ass' | 'png'): string {
  let hash = 0x811c9dc5
  for (const character of content) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return `text-${hash.toString(16).padStart(8, '0')}.${extension}`
}
