import { expect, test } from 'vitest'
import { imageFile, keptFormat, refuseSize } from './formats.ts'

test.each([
  ['jpeg', false, 'x.jpg', 'jpeg'],
  ['png', true, 'x.png', 'png'],
  ['webp', true, 'x.webp', 'webp'],
  ['gif', true, 'x.gif', 'gif'],
  ['avif', false, 'x.avif', 'avif'],
  ['heic', false, 'x.jpg', 'jpeg'],
  ['heic', true, 'x.png', 'png'],
  ['tiff', false, 'x.jpg', 'jpeg'],
  ['tiff', true, 'x.png', 'png'],
  ['toString', false, 'x.jpg', 'jpeg'],
])('%s (alpha: %s) is written as %s', (format, has_alpha, file, kept) => {
  expect(keptFormat('x', { format, has_alpha })).toEqual({ file, format: kept })
})

test('uses the usual file extensions', () => {
  expect(imageFile('a', 'jpeg')).toBe('a.jpg')
})

test('refuses a size that the format does not support', () => {
  expect(refuseSize('width', 'webp', { width: 16_383, height: 1 })).toBeNull()
  expect(refuseSize('width', 'webp', { width: 20_000, height: 100 })).toEqual({
    refused: {
      field: 'width',
      message: expect.objectContaining({
        en: 'the result would be 20000 x 100 pixels, but WEBP is limited to 16383 pixels per side. Use a smaller size',
      }),
    },
  })
})

test('refuses an AVIF that needs more memory than its encoder may use', () => {
  expect(refuseSize('format', 'avif', { width: 12_000, height: 9000 })).toBeNull()
  expect(refuseSize('format', 'avif', { width: 16_000, height: 8000 })).toEqual({
    refused: {
      field: 'format',
      message: expect.objectContaining({
        en: 'the result would be 16000 x 8000 pixels, but AVIF is limited to 110 megapixels. Use a smaller size',
      }),
    },
  })
})
