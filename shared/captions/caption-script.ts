import type { Size } from '../ffmpeg/video/frame-size.ts'
import { joinWords, separatorBetween } from '../speech/words.ts'
import { assColor, escapeAss } from './ass.ts'
import type { AssScript } from './ass-script.ts'
import type { Cue } from './cues.ts'
import { LINE_HEIGHT_EM } from './text.ts'

export const CAPTION_STYLES = ['karaoke', 'boxed', 'clean', 'yellow'] as const
type CaptionStyle = (typeof CAPTION_STYLES)[number]
export const CAPTION_POSITIONS = ['bottom', 'middle', 'top'] as const
type CaptionPosition = (typeof CAPTION_POSITIONS)[number]

export interface CaptionLook {
  style: CaptionStyle
  position: CaptionPosition
  /** Font size in percent of the shorter side; undefined uses the style's default. */
  font_size?: number | undefined
  /** "#rrggbb"; undefined uses the style's default. */
  text_color?: string | undefined
  highlight_color?: string | undefined
  outline_color?: string | undefined
  box_color?: string | undefined
  uppercase: boolean
}

/** Font sizes are percentages of the frame's shorter side; outlines and shadows are in em. */
const STYLES = {
  karaoke: { font_size: 6, text: '#ffffff', bold: true, outline: 0.11, shadow: 0.03 },
  boxed: { font_size: 4.6, text: '#ffffff', bold: false, outline: 0, shadow: 0.28 },
  clean: { font_size: 4.8, text: '#ffffff', bold: false, outline: 0.055, shadow: 0.05 },
  yellow: { font_size: 5, text: '#ffe500', bold: true, outline: 0.07, shadow: 0 },
} as const satisfies Record<CaptionStyle, object>

/** Scale factor for text on vertical videos, which are watched on phones. */
const UPRIGHT_LARGER = 1.2

const HIGHLIGHT = '#ffd400'
const BOX_OPACITY = 0.72

/** Average width of a letter in em; capitals are wider. */
const LETTER_EM = 0.54
const CAPITAL_EM = 0.68
/** Side margin, as a fraction of the width. */
const SIDE_MARGIN = 0.06

/** Returns the font size in pixels. */
function sizeOf(look: CaptionLook, { width, height }: Size): number {
  const own = STYLES[look.style].font_size * (height > width ? UPRIGHT_LARGER : 1)
  return ((look.font_size ?? own) / 100) * Math.min(width, height)
}

/** Returns how many characters fit on a line of the frame, up to `most`. */
export function captionCharactersMax(look: CaptionLook, frame: Size, most: number): number {
  const space = frame.width * (1 - 2 * SIDE_MARGIN)
  const bold = STYLES[look.style].bold ? 1.06 : 1
  const letter = (look.uppercase ? CAPITAL_EM : LETTER_EM) * bold * sizeOf(look, frame)
  return Math.max(8, Math.min(most, Math.floor(space / letter)))
}

/** Returns how many lines fit in the frame. */
export function captionLinesMax(look: CaptionLook, frame: Size): number {
  return Math.max(
    1,
    Math.floor((frame.height - 2 * marginOf(frame)) / (sizeOf(look, frame) * LINE_HEIGHT_EM)),
  )
}

/** Returns the ASS script that libass draws. Spoken text is escaped; schemas validate colors and numbers. */
export function captionScript(cues: readonly Cue[], look: CaptionLook, frame: Size): AssScript {
  const head = [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${frame.width}`,
    `PlayResY: ${frame.height}`,
    // Breaks lines at \N; libass wraps lines that are still too wide.
    'WrapStyle: 0',
    'ScaledBorderAndShadow: yes',
    '',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
    styleLine(look, frame),
  ]
  const em_pixels = sizeOf(look, frame)
  const events = cues.map((cue) => ({
    ...{ start: cue.start, end: cue.end, style: 'caption' },
    text: eventText(cue, look, em_pixels),
  }))
  return { head, events }
}

function styleLine(look: CaptionLook, frame: Size): string {
  const { text, bold, outline, shadow } = STYLES[look.style]
  const size = sizeOf(look, frame)
  const plain = look.text_color ?? text
  const is_boxed = look.style === 'boxed'
  // In karaoke, a word has the secondary color until it is spoken, then the primary color.
  const primary = look.style === 'karaoke' ? (look.highlight_color ?? HIGHLIGHT) : plain
  const box = assColor(look.box_color ?? '#000000', BOX_OPACITY)
  return `Style: ${[
    ...['caption', 'Noto Sans', rounded(size * LINE_HEIGHT_EM)],
    ...[assColor(primary, 1), assColor(plain, 1)],
    is_boxed ? box : assColor(look.outline_color ?? '#000000', 1),
    is_boxed ? box : assColor('#000000', 0.6),
    bold ? -1 : 0,
    // 4 draws one box around all lines; 3 would draw one per line, darker where they overlap.
    is_boxed ? 4 : 1,
    rounded(size * outline),
    // For boxed text, this is the padding.
    rounded(size * shadow),
    { bottom: 2, middle: 5, top: 8 }[look.position],
    ...[frame.width * SIDE_MARGIN, frame.width * SIDE_MARGIN, marginOf(frame)].map(Math.round),
    -1,
  ].join(',')}`
}

/** Returns the vertical margin. Apps cover the bottom of vertical videos with buttons. */
function marginOf({ width, height }: Size): number {
  return height > width ? height * 0.14 : height * 0.065
}

function eventText({ start, lines }: Cue, look: CaptionLook, em_pixels: number): string {
  const shown = (text: string) => escapeAss(look.uppercase ? text.toUpperCase() : text, em_pixels)
  if (look.style !== 'karaoke') return lines.map((line) => shown(joinWords(line))).join('\\N')
  const waitUntil = wordClock(start)
  return lines
    .map((line) =>
      line
        .map((word, position) => {
          const separator = position === 0 ? '' : separatorBetween(line[position - 1]?.text ?? '', word.text)
          return `${separator}${waitUntil(word.start)}${waitUntil(word.end) || '{\\k0}'}${shown(word.text)}`
        })
        .join(''),
    )
    .join('\\N')
}

/** Returns a function that writes the karaoke tag to wait until a given time, or '' if that time has been reached. */
function wordClock(start: number): (seconds: number) => string {
  let elapsed = 0
  return (seconds) => {
    const until = Math.max(elapsed, Math.round((seconds - start) * 100))
    const passed = until - elapsed
    elapsed = until
    return passed === 0 ? '' : `{\\k${passed}}`
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
