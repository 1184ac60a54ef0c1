import { expect, test } from 'vitest'
import { renderText } from './image-text.ts'

const box = { color: '#ffffff', width: 200, height: 100 }

test('a text is drawn within its box', async () => {
  const { width, height, channels, data } = await renderText({ ...box, text: 'A\r\nB\u0007' })
  expect(width).toBeLessThanOrEqual(200)
  expect(height).toBeLessThanOrEqual(100)
  expect(channels).toBe(4)
  expect(data.some((value, index) => index % 4 === 3 && value === 255)).toBe(true)
})

test.each(['\u3164', '\u2800', '\u115f', ' '])(
  '%j leaves no ink: the text is refused, not the picture',
  async (text) => {
    await expect(renderText({ ...box, text })).rejects.toMatchObject({
      error_code: 'parameter_refused',
      message: expect.stringMatching(/^text: /),
    })
  },
)
