import sharp from 'sharp'
import { cleanText } from '../../shared/operations/characters.ts'
import { JobFailure } from '../failure.ts'
import { fromRaw, type RawImage, type TimeLimit, toRaw } from './sharp.ts'

interface TextBox {
  text: string
  /** #rrggbb */
  color: string
  width: number
  height: number
}

/** Pango picks a font for each script from those that are installed (system-packages.txt). */
const FONT = 'Noto Sans, sans bold'
const TRIAL_PIXELS = 64
/** Letters that would get smaller than this, or this share of the width, are broken into lines instead. */
const LETTER_PIXELS_MIN = 10
const LETTER_SHARE_MIN = 0.08
/** Of the letter's height; the shadow keeps a mark readable on ground of its own colour. */
const SHADOW_SHARE = 0.04

/** A text as RGBA pixels, as wide as the box, or less where it would be higher than that. */
export async function renderText(
  { text, color, width, height }: TextBox,
  limits: TimeLimit,
): Promise<RawImage> {
  const plain = cleanText(text)
  const draw = (pixels: number, wrap_width: number | null) =>
    drawText(plain, color, pixels, wrap_width, limits)
  const trial = await draw(TRIAL_PIXELS, null)
  const fitted = Math.min((TRIAL_PIXELS * width) / trial.width, (TRIAL_PIXELS * height) / trial.height)
  const least = Math.max(LETTER_PIXELS_MIN, Math.round(width * LETTER_SHARE_MIN))
  const letters = fitted >= least ? await draw(Math.round(fitted), null) : await draw(least, width)
  const radius = Math.max(1, Math.max(fitted, least) * SHADOW_SHARE)
  const shadowed = await addShadow(letters, color, radius, limits)
  if (shadowed.width <= width && shadowed.height <= height) return shadowed
  return toRaw(fromRaw(shadowed, limits).resize({ width, height, fit: 'inside' }))
}

async function drawText(
  text: string,
  color: string,
  pixels: number,
  width: number | null,
  { IMAGE_SECONDS_MAX }: TimeLimit,
): Promise<RawImage> {
  const markup = `<span foreground="${color}">${escapeMarkup(text)}</span>`
  const wrapping = width === null ? {} : { width, wrap: 'word-char' as const }
  // At 72 dots per inch a point is a pixel.
  const options = { text: markup, rgba: true, font: `${FONT} ${pixels}`, dpi: 72, align: 'center' as const }
  try {
    const drawn = await toRaw(
      sharp({ text: { ...options, ...wrapping } }).timeout({ seconds: IMAGE_SECONDS_MAX }),
    )
    if (hasOpacity(drawn)) return drawn
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('no text to render')) throw error
  }
  throw new JobFailure('parameter_refused', 'text: there is nothing to draw, its characters leave no ink.')
}

/** Whether anything is to be seen of letters: a font may have room for a character and nothing in it. */
function hasOpacity({ data, channels }: RawImage): boolean {
  for (let index = channels - 1; index < data.length; index += channels) if (data[index] !== 0) return true
  return false
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

/** Dark under light letters, light under dark ones. */
async function addShadow(
  letters: RawImage,
  color: string,
  radius: number,
  limits: TimeLimit,
): Promise<RawImage> {
  const room = Math.ceil(radius * 2)
  const background = { r: 0, g: 0, b: 0, alpha: 0 }
  const extended = await toRaw(
    fromRaw(letters, limits).extend({ top: room, bottom: room, left: room, right: room, background }),
  )
  const shade = isLight(color) ? 0 : 255
  const shadow = Buffer.from(extended.data)
  for (let index = 0; index < shadow.length; index += 4) {
    shadow.fill(shade, index, index + 3)
    shadow[index + 3] = Math.round((shadow[index + 3] ?? 0) * 0.6)
  }
  const blurred = fromRaw({ ...extended, data: shadow }, limits).blur(Math.max(0.3, radius))
  const { width, height } = extended
  return toRaw(blurred.composite([{ input: extended.data, raw: { width, height, channels: 4 } }]))
}

function isLight(color: string): boolean {
  const value = Number.parseInt(color.slice(1), 16)
  return 0.3 * ((value >> 16) & 255) + 0.6 * ((value >> 8) & 255) + 0.1 * (value & 255) > 110
}
