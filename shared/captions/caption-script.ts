import type { Size } from '../ffmpeg/video/frame-size.ts'
import { blankBetween, joinWords } from '../speech/words.ts'
import { assColor, escapeAss } from './ass.ts'
import type { Cue } from './cues.ts'
import { LINE_HEIGHT_EM } from './text.ts'

export const CAPTION_STYLES = ['karaoke', 'boxed', 'clean', 'yellow'] as const
type CaptionStyle = (typeof CAPTION_STYLES)[number]
export const CAPTION_POSITIONS = ['bottom', 'middle', 'top'] as const
type CaptionPosition = (typeof CAPTION_POSITIONS)[number]

export interface CaptionLook {
  style: CaptionStyle
  position: CaptionPosition
  /** Height of the letters (an em) in percent of the picture's shorter side; undefined: the style's own. */
  font_size?: number | undefined
  /** "#rrggbb"; undefined: the style's own. */
  text_color?: string | undefined
  highlight_color?: string | undefined
  outline_color?: string | undefined
  box_color?: string | undefined
  uppercase: boolean
}

/** Sizes of letters in percent of the shorter side; widths of edge and shadow in parts of an em. */
const STYLES = {
  karaoke: { font_size: 6, text: '#ffffff', bold: true, outline: 0.11, shadow: 0.03 },
  boxed: { font_size: 4.6, text: '#ffffff', bold: false, outline: 0, shadow: 0.28 },
  clean: { font_size: 4.8, text: '#ffffff', bold: false, outline: 0.055, shadow: 0.05 },
  yellow: { font_size: 5, text: '#ffe500', bold: true, outline: 0.07, shadow: 0 },
} as const satisfies Record<CaptionStyle, object>

/** Upright pictures are watched on phones. */
const UPRIGHT_LARGER = 1.2

const HIGHLIGHT = '#ffd400'
const BOX_OPACITY = 0.72

/** As wide as a letter is on average, in em; a capital is wider. */
const LETTER_EM = 0.54
const CAPITAL_EM = 0.68
/** Nothing is written nearer to the sides than this, as a share of the width. */
const SIDE_MARGIN = 0.06

/** Pixels of an em. */
function sizeOf(look: CaptionLook, { width, height }: Size): number {
  const own = STYLES[look.style].font_size * (height > width ? UPRIGHT_LARGER : 1)
  return ((look.font_size ?? own) / 100) * Math.min(width, height)
}

/** How many characters a line takes in this picture, at most what subtitlers allow. */
export function captionCharactersMax(look: CaptionLook, frame: Size, most: number): number {
  const room = frame.width * (1 - 2 * SIDE_MARGIN)
  const bold = STYLES[look.style].bold ? 1.06 : 1
  const letter = (look.uppercase ? CAPITAL_EM : LETTER_EM) * bold * sizeOf(look, frame)
  return Math.max(8, Math.min(most, Math.floor(room / letter)))
}

/** The ASS script that libass draws: what is said reaches it escaped, colors and numbers by their schemas. */
export function captionScript(cues: readonly Cue[], look: CaptionLook, frame: Size): string {
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${frame.width}`,
    `PlayResY: ${frame.height}`,
    // Lines are broken by \N; one that is wider than the picture after all is broken by libass.
    'WrapStyle: 0',
    'ScaledBorderAndShadow: yes',
    '',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
    styleLine(look, frame),
    '',
    '[Events]',
    'Format: Start, End, Style, Text',
    ...cues.map((cue) => `Dialogue: ${clock(cue.start)},${clock(cue.end)},caption,${eventText(cue, look)}`),
    '',
  ].join('\n')
}

function styleLine(look: CaptionLook, frame: Size): string {
  const { text, bold, outline, shadow } = STYLES[look.style]
  const size = sizeOf(look, frame)
  const plain = look.text_color ?? text
  const is_boxed = look.style === 'boxed'
  // Karaoke shows a word in the secondary color until its turn, then in the primary one.
  const primary = look.style === 'karaoke' ? (look.highlight_color ?? HIGHLIGHT) : plain
  const box = assColor(look.box_color ?? '#000000', BOX_OPACITY)
  return `Style: ${[
    ...['caption', 'Noto Sans', rounded(size * LINE_HEIGHT_EM)],
    ...[assColor(primary, 1), assColor(plain, 1)],
    is_boxed ? box : assColor(look.outline_color ?? '#000000', 1),
    is_boxed ? box : assColor('#000000', 0.6),
    bold ? -1 : 0,
    // 4: one box around all lines; 3 would draw one around each, darker where they overlap.
    is_boxed ? 4 : 1,
    rounded(size * outline),
    // Of a box it is the room around the letters.
    rounded(size * shadow),
    { bottom: 2, middle: 5, top: 8 }[look.position],
    ...[frame.width * SIDE_MARGIN, frame.width * SIDE_MARGIN, marginOf(frame)].map(Math.round),
    -1,
  ].join(',')}`
}

/** On upright pictures the buttons of the apps that show them cover the lowest part. */
function marginOf({ width, height }: Size): number {
  return height > width ? height * 0.14 : height * 0.065
}

function eventText({ start, lines }: Cue, look: CaptionLook): string {
  const shown = (text: string) => escapeAss(look.uppercase ? text.toUpperCase() : text)
  if (look.style !== 'karaoke') return lines.map((line) => shown(joinWords(line))).join('\\N')
  const waitUntil = wordClock(start)
  return lines
    .map((line) =>
      line
        .map((word, position) => {
          const blank = position === 0 ? '' : blankBetween(line[position - 1]?.text ?? '', word.text)
          return `${blank}${waitUntil(word.start)}${waitUntil(word.end) || '{\\k0}'}${shown(word.text)}`
        })
        .join(''),
    )
    .join('\\N')
}

/** The tag by which karaoke waits until a time; none where that is now. */
function wordClock(start: number): (seconds: number) => string {
  let elapsed = 0
  return (seconds) => {
    const until = Math.max(elapsed, Math.round((seconds - start) * 100))
    const passed = until - elapsed
    elapsed = until
    return passed === 0 ? '' : `{\\k${passed}}`
  }
}

/** 3725.5 → "1:02:05.50" */
function clock(seconds: number): string {
  const hundredths = Math.max(0, Math.round(seconds * 100))
  const two = (value: number) => String(value % 60).padStart(2, '0')
  const whole = Math.floor(hundredths / 100)
  const fraction = String(hundredths % 100).padStart(2, '0')
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60))}:${two(whole)}.${fraction}`
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
