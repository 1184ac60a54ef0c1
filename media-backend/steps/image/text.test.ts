/** @module-tag extended */

import { expect, test } from 'vitest'
import { renderText } from './text.ts'

const limits = { IMAGE_SECONDS_MAX: 60 }
const box = { color: '#ffffff', width: 200, height: 100 }

test('draws text within its box', async () => {
  const { width, height, channels, data } = await renderText({ ...box, text: 'A\r\nB\u0007' }, limits)
  expect(width).toBeLessThanOrEqual(200)
  expect(height).toBeLessThanOrEqual(100)
  expect(channels).toBe(4)
  expect(data.some((value, index) => index % 4 === 3 && value === 255)).toBe(true)
})

test('limits the time for glyphs that fill a large image', async () => {
  const wall = { color: '#ffffff', width: 12_000, height: 8000, text: 'W' }
  await expect(renderText(wall, { IMAGE_SECONDS_MAX: 1 })).rejects.toThrow(/timeout/i)
})

test.each([
  ['one character', 'W'],
  ['many lines', 'The quick brown fox jumps over the lazy dog. '.repeat(6)],
])('draws %s on a very large image, using memory for the image only', async (_name, text) => {
  const { width, height } = await renderText({ color: '#ffffff', width: 6000, height: 4500, text }, limits)
  expect(width).toBeLessThanOrEqual(6000)
  expect(height).toBeLessThanOrEqual(4500)
  expect(Math.max(width / 6000, height / 4500)).toBeGreaterThan(0.95)
})

test.each(['\u3164', '\u2800', '\u115f', ' '])(
  'refuses the text %j without visible glyphs, instead of the image',
  async (text) => {
    await expect(renderText({ ...box, text }, limits)).rejects.toMatchObject({
      error_code: 'parameter_refused',
      message: expect.stringMatching(/^text: /),
    })
  },
)
