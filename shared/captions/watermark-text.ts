import type { Size } from '../ffmpeg/video/frame-size.ts'
import { cleanText } from '../text/characters.ts'
import { alignmentOf, type Place } from '../text/positions.ts'
import { type AssStyle, type AssText, assScript, keypadAnchor } from './ass.ts'
import { writeScript } from './ass-script.ts'
import { type FittedText, fitText, LINE_HEIGHT_EM, widthOf } from './text.ts'

interface WatermarkText {
  text?: string | undefined
  position: Place
  opacity: number
  size: number
  color: string
  margin: number
  tiled: boolean
}

const TILES_MAX = 400
const TILE_ANGLE_DEGREES = 30
const LINES_MAX = 8

/**
 * Returns the script that draws the watermark text at `size` percent of the frame width, or less to fit the frame.
 */
export function watermarkScript(params: WatermarkText, frame: Size): string {
  const margin = (params.margin / 100) * frame.width
  const width = Math.min(
    (params.size / 100) * frame.width,
    Math.max(frame.width - 2 * margin, frame.width / 5),
  )
  const shorter = Math.min(frame.width, frame.height)
  const fitted = fitText(cleanText(params.text ?? ''), {
    width,
    height: Math.max(frame.height - 2 * margin, frame.height / 5),
    // Limits a single letter, which would otherwise grow to the full width.
    size_max: width / 2,
    size_comfortable: Math.max(8, shorter / 40),
    lines_max: LINES_MAX,
  })
  const style: AssStyle = {
    size: fitted.size,
    color: params.color,
    opacity: params.opacity,
    bold: true,
    outline: fitted.size / 28,
    shadow: 0,
  }
  const texts = params.tiled
    ? tileTexts(fitted, style, frame)
    : [placeText(fitted, style, params.position, frame, margin)]
  return writeScript(assScript(frame, texts))
}

function placeText(fitted: FittedText, style: AssStyle, place: Place, frame: Size, margin: number): AssText {
  const share = alignmentOf(place)
  return {
    anchor: keypadAnchor(place),
    x: margin + share.x * (frame.width - 2 * margin),
    y: Math.min(margin, frame.height / 4) + share.y * (frame.height - 2 * Math.min(margin, frame.height / 4)),
    parts: [{ style, lines: fitted.lines }],
  }
}

/** Returns rows of slanted text; every other row is shifted by half a step. */
function tileTexts(fitted: FittedText, style: AssStyle, frame: Size): AssText[] {
  const text_width = Math.max(...fitted.lines.map(widthOf)) * fitted.size
  const text_height = fitted.lines.length * LINE_HEIGHT_EM * fitted.size
  const step = stepOf(text_width, text_height, frame)
  const rows = Math.ceil(frame.height / step.y) + 1
  const columns = Math.ceil(frame.width / step.x) + 2
  return Array.from({ length: rows * columns }, (_, index) => {
    const row = Math.floor(index / columns)
    return {
      anchor: 5,
      x: ((index % columns) - (row % 2) / 2) * step.x,
      y: row * step.y,
      angle_degrees: TILE_ANGLE_DEGREES,
      parts: [{ style, lines: fitted.lines }],
    }
  })
}

/** Returns the spacing of the slanted text, large enough to stay within TILES_MAX. */
function stepOf(width: number, height: number, frame: Size): { x: number; y: number } {
  const angle = (TILE_ANGLE_DEGREES / 180) * Math.PI
  const x = width * Math.cos(angle) + height * Math.sin(angle) + frame.width / 20
  const y = width * Math.sin(angle) + height * Math.cos(angle) + frame.height / 30
  const count = (frame.width / x + 2) * (frame.height / y + 1)
  const stretch = Math.max(1, Math.sqrt(count / TILES_MAX) * 1.3)
  return { x: x * stretch, y: y * stretch }
}
