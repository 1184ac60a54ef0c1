/** @module-tag extended */

import sharp from 'sharp'
import { expect, test } from 'vitest'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'

/**
 * Makes a JPEG with a corrupt JUMBF segment: its random sequence number would make exiftool allocate two billion
 * parts.
 */
async function jpegWithCorruptJumbf(): Promise<Buffer> {
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: '#c04020' } })
  const jpeg = await image
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .jpeg()
    .toBuffer()
  const content = Buffer.from('4a50c8f97b9b7e90427d2de2270f53638f3d2eaa', 'hex')
  const head = Buffer.from([0xff, 0xeb, 0, content.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)])
}

const MERGE: ImageSpec = ['device_meta', { preset: 'iphone_16', metadata_mode: 'merge' }]

test.each<[string, [ImageSpec, ...ImageSpec[]]]>([
  ['strip_meta', [['strip_meta', { metadata_mode: 'merge', strip_gps: true }]]],
  ['device_meta', [MERGE]],
  ['device_meta before a resize', [['edit'], MERGE, ['resize', { width: 32 }]]],
  ['device_meta before a conversion', [['edit'], MERGE, ['convert', { format: 'webp' }]]],
])('%s keeps the text of a JPEG with a corrupt JUMBF segment', async (_name, specs) => {
  const { content } = await operateImage(await jpegWithCorruptJumbf(), specs)
  expect(content.includes('Somebody')).toBe(true)
})
