import sharp from 'sharp'
import { failWith } from '../../runtime/failure.ts'
import { escapeMarkup } from '../../runtime/markup.ts'
import { fromRaw, type Limits, limitTime, type RawImage, toRaw } from '../../runtime/sharp.ts'
import type { Box } from './locate-emoji.ts'

/** The color font has bitmaps of this many pixels per em (system-packages.txt). */
const FONT = 'Noto Color Emoji 109'
/** Space on each side of an emoji, as a fraction of its box. */
const MARGIN = 0.04

/** Draws an emoji in color, as large as fits into the box and in its center. */
export async function drawGlyph(emoji: string, { width, height }: Box, limits: Limits): Promise<RawImage> {
  const text = { text: escapeMarkup(emoji), rgba: true, font: FONT, dpi: 72 }
  const glyph = await toRaw(limitTime(sharp({ text }), limits)).catch((error: unknown) => {
    if (error instanceof Error && error.message.includes('no text to render')) throw failWith('no_glyphs')
    throw error
  })
  const margin = Math.round(Math.min(width, height) * MARGIN)
  const background = { r: 0, g: 0, b: 0, alpha: 0 }
  const inside = {
    width: Math.max(1, width - 2 * margin),
    height: Math.max(1, height - 2 * margin),
  }
  return toRaw(
    fromRaw(glyph, limits)
      .trim({ background, threshold: 0 })
      .resize({ ...inside, fit: 'contain', background }),
  )
}
