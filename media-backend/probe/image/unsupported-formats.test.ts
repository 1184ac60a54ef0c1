import { expect, test } from 'vitest'
import { encodeIfd, encodeTiffHeader, numbersEntry } from '../../strip/tiff-ifd.ts'
import { withFile } from '../../testing/describe-image.ts'
import { LONE_ENVIRONMENT as environment } from '../../testing/environment.ts'
import { imageFacts } from './image.ts'

function reading(content: Buffer): Promise<unknown> {
  return withFile(content, (path) => imageFacts(path, environment))
}

/** Builds a file that starts with these bytes and is longer than any header. */
function startingWith(start: string): Buffer {
  return Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(512)])
}

test.each([
  ['BM\x36\x04\0\0\0\0\0\0', 'BMP'],
  ['8BPS\0\x01', 'Photoshop'],
  ['\xff\x0a\xf8', 'JPEG XL'],
  ['\0\0\0\x0cJXL \r\n\x87\n', 'JPEG XL'],
  ['\0\0\0\x0cjP  \r\n\x87\n', 'JPEG 2000'],
  ['\0\0\x01\0\x01\0', 'ICO'],
  ['%!PS-Adobe-3.0 EPSF-3.0', 'EPS'],
  ['%PDF-1.7', 'PDF'],
  ['<svg xmlns="http://www.w3.org/2000/svg">', 'SVG'],
  ['<?xml version="1.0"?>\n<!-- drawn -->\n<svg>', 'SVG'],
  ['II*\0\x10\0\0\0CR\x02\0', 'Camera Raw'],
  ['\0\0\0\x18ftypcrx ', 'Camera Raw'],
])('the error for %j names %s', async (start, name) => {
  await expect(reading(startingWith(start))).rejects.toMatchObject({
    error_code: 'input_unreadable',
    message: expect.stringMatching(new RegExp(`^${name}.* not supported\\. Convert`)),
  })
})

test.each([
  'II*\0\x00\x10\0\0',
  'MM\0*\0\0\x10\0',
  'II+\0\x08\0\0\0\0\x10\0\0\0\0\0\0',
  '\xff\xd8\xff\xe0',
  'GIF89a',
])('reports a truncated file that starts with %j as truncated', async (start) => {
  const message = expect.stringContaining('truncated or corrupt')
  await expect(reading(Buffer.from(start, 'latin1'))).rejects.toMatchObject({ message })
})

test('does not report a complete TIFF of an unsupported kind as truncated', async () => {
  const layout = { is_little: true, is_big: false }
  const entries = [numbersEntry(273, 4, [8], layout), numbersEntry(279, 4, [8], layout)]
  const directory = encodeIfd({ entries, next: 0 }, 16, layout)
  const content = Buffer.concat([encodeTiffHeader(16, layout), Buffer.alloc(8), directory])
  const message = expect.not.stringContaining('truncated')
  await expect(reading(content)).rejects.toMatchObject({ message })
})
