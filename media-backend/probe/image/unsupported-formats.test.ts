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
  ['%!PS-Adobe-3.0 EPSF-3.0', 'EPS'],
  ['%PDF-1.7', 'PDF'],
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
