import sharp from 'sharp'
import { cleanText } from '../../../shared/text/characters.ts'
import { failWith } from '../../runtime/failure.ts'
import { escapeMarkup } from '../../runtime/markup.ts'
import { fromRaw, limitTime, type RawImage, type TimeLimit, toRaw } from '../../runtime/sharp.ts'

interface TextBox {
  text: string
  /** Color in the form #rrggbb. */
  color: string
  width: number
  height: number
}

/** Pango selects an installed font for each script (system-packages.txt). */
const FONT = 'Noto Sans, sans bold'
const TRIAL_PIXELS = 64
/** Text is wrapped if its glyphs would be smaller than this, or smaller than GLYPH_SHARE_MIN of the width. */
const GLYPH_PIXELS_MIN = 10
const GLYPH_SHARE_MIN = 0.08
/**
 * Shadow size as a fraction of the glyph height. The shadow keeps a mark readable on a background of the same
 * color.
 */
const SHADOW_SHARE = 0.04
/**
 * Maximum blur radius at full size. A wider blur uses a downscaled image, which takes a fraction of the time and
 * makes no visible difference.
 */
const BLUR_RADIUS_MAX = 8
/** Larger glyphs are drawn at a smaller size and then enlarged, because they are copied several times in memory. */
const DRAWN_PIXELS_MAX = 16_000_000

/** Draws text as RGBA pixels, as wide as the box, or narrower if it would otherwise be too tall. */
export async function renderText(
  { text, color, width, height }: TextBox,
  limits: TimeLimit,
): Promise<RawImage> {
  const plain = cleanText(text)
  const draw = (pixels: number, wrap_width: number | null) =>
    drawText(plain, color, pixels, wrap_width, limits)
  const trial = await draw(TRIAL_PIXELS, null)
  const requested_quality = Math.min(
    (TRIAL_PIXELS * width) / trial.width,
    (TRIAL_PIXELS * height) / trial.height,
  )
  const least = Math.max(GLYPH_PIXELS_MIN, Math.round(width * GLYPH_SHARE_MIN))
  const size = Math.max(requested_quality, least)
  const most = TRIAL_PIXELS * Math.sqrt(DRAWN_PIXELS_MAX / (trial.width * trial.height))
  const shrink = Math.min(1, most / size)
  const glyphs = await draw(
    Math.round(size * shrink),
    requested_quality >= least ? null : Math.round(width * shrink),
  )
  const radius = Math.max(1, size * shrink * SHADOW_SHARE)
  const drawn = await addShadow(glyphs, color, radius, limits)
  if (shrink === 1 && drawn.width <= width && drawn.height <= height) return drawn
  const box = {
    width: Math.min(width, drawn.width / shrink),
    height: Math.min(height, drawn.height / shrink),
  }
  const whole = { width: Math.ceil(box.width), height: Math.ceil(box.height) }
  return toRaw(fromRaw(drawn, limits).resize({ ...whole, fit: 'inside' }))
}

async function drawText(
  text: string,
  color: string,
  pixels: number,
  width: number | null,
  limits: TimeLimit,
): Promise<RawImage> {
  const markup = `<span foreground="${color}">${escapeMarkup(text)}</span>`
  const wrapping = width === null ? {} : { width, wrap: 'word-char' as const }
  // At 72 dpi, one point equals one pixel.
  const options = { text: markup, rgba: true, font: `${FONT} ${pixels}`, dpi: 72, align: 'center' as const }
  try {
    const drawn = await toRaw(limitTime(sharp({ text: { ...options, ...wrapping } }), limits))
    if (hasOpacity(drawn)) return drawn
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('no text to render')) throw error
  }
  throw failWith('no_glyphs')
}

/** Checks for visible glyphs, because a font may contain empty ones. */
function hasOpacity({ data, channels }: RawImage): boolean {
  for (let index = channels - 1; index < data.length; index += channels) if (data[index] !== 0) return true
  return false
}

/** Adds a dark shadow under light glyphs, and a light one under dark glyphs. */
async function addShadow(
  glyphs: RawImage,
  color: string,
  radius: number,
  limits: TimeLimit,
): Promise<RawImage> {
  const room = Math.ceil(radius * 2)
  const background = { r: 0, g: 0, b: 0, alpha: 0 }
  const extended = await toRaw(
    fromRaw(glyphs, limits).extend({ top: room, bottom: room, left: room, right: room, background }),
  )
  const shade = isLight(color) ? 0 : 255
  const shadow = Buffer.from(extended.data)
  for (let index = 0; index < shadow.length; index += 4) {
    shadow.fill(shade, index, index + 3)
    shadow[index + 3] = Math.round((shadow[index + 3] ?? 0) * 0.6)
  }
  const { width, height } = extended
  const scale = Math.min(1, BLUR_RADIUS_MAX / radius)
  const small = { width: Math.ceil(width * scale), height: Math.ceil(height * scale), fit: 'fill' } as const
  const blurred = fromRaw({ ...extended, data: shadow }, limits)
    .resize(small)
    .blur(Math.max(0.3, radius * scale))
  const enlarged = fromRaw(await toRaw(blurred), limits).resize({ width, height, fit: 'fill' })
  return toRaw(enlarged.composite([{ input: extended.data, raw: { width, height, channels: 4 } }]))
}

function isLight(color: string): boolean {
  const value = Number.parseInt(color.slice(1), 16)
  return 0.3 * ((value >> 16) & 255) + 0.6 * ((value >> 8) & 255) + 0.1 * (value & 255) > 110
}
