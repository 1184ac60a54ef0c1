/** @module-tag extended */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { number32 } from '../../testing/boxes.ts'
import { compressedChunk, pngChunk, withPngChunks } from '../../testing/png.ts'
import { checkPngMetadata } from './png-chunks.ts'

const MEGABYTE = 1024 ** 2

async function check(...chunks: Buffer[]) {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-png-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#08f' } })
    .png()
    .toBuffer()
  const path = join(folder, 'image.png')
  await writeFile(path, withPngChunks(png, chunks))
  return checkPngMetadata(path)
}

/** Builds compressed EXIF in a form that exiftool reads: a zero byte and the size precede the data. */
function compressedExif(type: string, bytes: number): Buffer {
  return pngChunk(type, Buffer.concat([Buffer.from([0]), number32(bytes), deflateSync(Buffer.alloc(bytes))]))
}

test.each<[string, () => Buffer[]]>([
  ['nothing', () => []],
  ['a large profile', () => [compressedChunk('iCCP', 4 * MEGABYTE)]],
  [
    'text in each kind of chunk',
    () => [compressedChunk('zTXt', MEGABYTE), compressedChunk('iTXt', MEGABYTE)],
  ],
  ['EXIF, compressed or not', () => [compressedExif('eXIf', MEGABYTE), pngChunk('eXIf', Buffer.from('MM'))]],
  ['truncated EXIF', () => [pngChunk('eXIf', Buffer.alloc(1)), pngChunk('zxIf', Buffer.alloc(5))]],
  ['corrupt text', () => [pngChunk('zTXt', Buffer.from('name\0\0not deflated'))]],
  ['text whose name has no terminator', () => [pngChunk('iTXt', Buffer.from('name'))]],
  ['empty text', () => [pngChunk('zTXt', Buffer.from('name\0\0')), pngChunk('iTXt', Buffer.alloc(0))]],
  ['thousands of image data chunks', () => Array<Buffer>(20_000).fill(pngChunk('fdAT', Buffer.alloc(0)))],
])('accepts a PNG with %s', async (_name, make) => {
  await expect(check(...make())).resolves.toBeUndefined()
})

test.each<[string, () => Buffer[]]>([
  ['text that inflates to 500 MB', () => [compressedChunk('zTXt', 500 * MEGABYTE)]],
  ['XMP that inflates to 40 MB', () => [compressedChunk('iTXt', 40 * MEGABYTE)]],
  ['a profile that inflates to 40 MB', () => [compressedChunk('iCCP', 40 * MEGABYTE)]],
  ['EXIF that inflates to 40 MB', () => [compressedExif('eXIf', 40 * MEGABYTE)]],
  ['EXIF in a draft chunk type that inflates to 40 MB', () => [compressedExif('zxIf', 40 * MEGABYTE)]],
  ['draft EXIF in another case', () => [compressedExif('zXIF', 40 * MEGABYTE)]],
  ['many texts of 40 MB in total', () => Array<Buffer>(10).fill(compressedChunk('zTXt', 4 * MEGABYTE))],
  ['plain text of 40 MB', () => [pngChunk('tEXt', Buffer.alloc(40 * MEGABYTE, 'a'))]],
  ['too many texts', () => Array<Buffer>(10_001).fill(pngChunk('tEXt', Buffer.from('a\0b')))],
])('refuses a PNG with %s', async (_name, make) => {
  await expect(check(...make())).rejects.toMatchObject({ error_code: 'input_too_large' })
})

test('accepts a file that is not a PNG', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-png-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'text')
  for (const content of ['', 'text']) {
    await writeFile(path, content)
    await expect(checkPngMetadata(path)).resolves.toBeUndefined()
  }
})
