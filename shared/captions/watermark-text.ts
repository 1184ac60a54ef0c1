import type { Size } from '../ffmpeg/video/frame-size.ts'
import { cleanText } from '../text/characters.ts'
import { type Place, shareOf } from '../text/positions.ts'
import { type AssStyle, type AssText, assScript, keypadAnchor } from './ass.ts'
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

/** The script that draws a watermark's text, `size` percent as wide as the picture and all within it. */
export function watermarkScript(params: WatermarkText, picture: Size): string {
  const margin = (params.margin / 100) * picture.width
  const width = Math.min(
    (params.size / 100) * picture.width,
    Math.max(picture.width - 2 * margin, picture.width / 5),
  )
  const shorter = Math.min(picture.width, picture.height)
  const fitted = fitText(cleanText(params.text ?? ''), {
    width,
    height: Math.max(picture.height - 2 * margin, picture.height / 5),
    // A single letter would else be as tall as it is wide.
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
    ? tileTexts(fitted, style, picture)
    : [placeText(fitted, style, params.position, picture, margin)]
  return assScript(picture, texts)
}

function placeText(
  fitted: FittedText,
  style: AssStyle,
  place: Place,
  picture: Size,
  margin: number,
): AssText {
  const share = shareOf(place)
  return {
    anchor: keypadAnchor(place),
    x: margin + share.x * (picture.width - 2 * margin),
    y:
      Math.min(margin, picture.height / 4) +
      share.y * (picture.height - 2 * Math.min(margin, picture.height / 4)),
    parts: [{ style, lines: fitted.lines }],
  }
}

/** Rows of slanted texts, every other row moved by half a step. */
function tileTexts(fitted: FittedText, style: AssStyle, picture: Size): AssText[] {
  const text_width = Math.max(...fitted.lines.map(widthOf)) * fitted.size
  const text_height = fitted.lines.length * LINE_HEIGHT_EM * fitted.size
  const step = stepOf(text_width, text_height, picture)
  const rows = Math.ceil(picture.height / step.y) + 1
  const columns = Math.ceil(picture.width / step.x) + 2
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

/** Room for the slanted text and some more; so much more that there are never too many of them. */
function stepOf(width: number, height: number, picture: Size): { x: number; y: number } {
  const angle = (TILE_ANGLE_DEGREES / 180) * Math.PI
  const x = width * Math.cos(angle) + height * Math.sin(angle) + picture.width / 20
  const y = width * Math.sin(angle) + height * Math.cos(angle) + picture.height / 30
  const count = (picture.width / x + 2) * (picture.height / y + 1)
  const stretch = Math.max(1, Math.sqrt(count / TILES_MAX) * 1.3)
  return { x: x * stretch, y: y * stretch }
}
