import { expect, test } from 'vitest'
import { drawGlyph } from './draw-glyph.ts'

const BOX = { left: 0, top: 0, width: 40, height: 40 }
const LIMITS = { IMAGE_SECONDS_MAX: 60, IMAGE_PIXELS_MAX: 1_000_000 }

test.each(['😀', '&', '<', '\u2039'])('draws %s as it is, not as markup', async (character) => {
  const { width, height, data } = await drawGlyph(character, BOX, LIMITS)
  expect(Math.max(width, height)).toBeLessThanOrEqual(40)
  expect(data.some((value, index) => index % 4 === 3 && value > 0)).toBe(true)
})
