/** @module-tag extended */

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { encodeIfd, encodeTiffHeader, ifdBytes, numbersEntry } from '../strip/tiff-ifd.ts'
import { photo } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'

const execute = promisify(execFile)
const SPECS: ImageSpec[] = [
  ['strip_meta'],
  ['strip_meta', { metadata_mode: 'merge', strip_gps: true }],
  ['device_meta', { preset: 'iphone_16' }],
]
const FORMATS = ['jpeg', 'png', 'tiff', 'avif', 'heic'] as const

async function encoded(format: (typeof FORMATS)[number]): Promise<Buffer> {
  const jpeg = await photo(160, 120)
  if (format === 'jpeg') return jpeg
  return withFile(jpeg, async (path) => {
    if (format === 'avif') return sharp(path).avif().toBuffer()
    const written = `${path}.${format}`
    if (format === 'heic') await execute('heif-enc', ['-o', written, await named(path)])
    else await execute('ffmpeg', ['-v', 'error', '-i', path, written])
    return readFile(written)
  })
}

/** Returns a copy with the extension from which heif-enc detects the format. */
async function named(path: string): Promise<string> {
  await execute('cp', [path, `${path}.jpg`])
  return `${path}.jpg`
}

const CASES = FORMATS.flatMap((format) => SPECS.map((spec) => ({ format, spec, key: spec[0] })))

test.each(CASES)('$key refuses a truncated $format instead of copying it', async ({ format, spec }) => {
  const whole = await encoded(format)
  await operateImage(whole, [spec])
  const truncated = whole.subarray(0, Math.floor(whole.length * 0.7))
  await expect(operateImage(truncated, [spec])).rejects.toMatchObject({ error_code: 'input_unreadable' })
})

/** Sets the size of the media data to 0, which means "to the end of the file". */
function withOpenEnd(heic: Buffer): Buffer {
  const file = Buffer.from(heic)
  file.writeUInt32BE(0, file.indexOf('mdat') - 4)
  return file
}

test.each(SPECS)('%s refuses a truncated HEIC without an explicit size', async (...spec) => {
  const whole = withOpenEnd(await encoded('heic'))
  await operateImage(whole, [spec as ImageSpec])
  const truncated = whole.subarray(0, Math.floor(whole.length * 0.7))
  await expect(operateImage(truncated, [spec as ImageSpec])).rejects.toMatchObject({
    error_code: 'input_unreadable',
  })
})

/** Makes a four-page gray TIFF whose pixels follow all directories. */
function tiffOfPages(): Buffer {
  const [size, pages] = [32, 4]
  const pixels = Buffer.from(Array.from({ length: size * size }, (_, at) => (at * at * 31) % 251))
  const layout = { is_little: true, is_big: false }
  const entries = (page: number, directory_bytes: number) =>
    [
      ...[
        [256, size],
        [257, size],
        [258, 8],
        [259, 1],
        [262, 1],
        [277, 1],
        [278, size],
      ],
      ...[
        [273, 8 + pages * directory_bytes + page * pixels.length],
        [279, pixels.length],
      ],
    ].map(([tag = 0, value = 0]) => numbersEntry(tag, 4, [value], layout))
  const bytes = ifdBytes(entries(0, 0), layout)
  const directories = Array.from({ length: pages }, (_, page) => {
    const at = 8 + page * bytes
    return encodeIfd({ entries: entries(page, bytes), next: page === pages - 1 ? 0 : at + bytes }, at, layout)
  })
  return Buffer.concat([encodeTiffHeader(8, layout), ...directories, ...Array<Buffer>(pages).fill(pixels)])
}

test.each(SPECS)('%s refuses a TIFF that is truncated in its last page', async (...spec) => {
  const whole = tiffOfPages()
  await operateImage(whole, [spec as ImageSpec])
  for (const fraction of [0.8, 0.9, 0.98]) {
    const truncated = whole.subarray(0, Math.floor(whole.length * fraction))
    await expect(operateImage(truncated, [spec as ImageSpec])).rejects.toMatchObject({
      error_code: 'input_unreadable',
    })
  }
})
