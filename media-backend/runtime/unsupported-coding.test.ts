import sharp from 'sharp'
import { expect, test } from 'vitest'
import { operateImage } from '../testing/operate-image.ts'

const COMPRESSION_TAG = 259

async function tiffOfCompression(compression: number): Promise<Buffer> {
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: '#c04020' } })
  const tiff = await image.tiff({ compression: 'deflate' }).toBuffer()
  const directory = tiff.readUInt32LE(4)
  const entries = Array.from(
    { length: tiff.readUInt16LE(directory) },
    (_, index) => directory + 2 + 12 * index,
  )
  const entry = entries.find((at) => tiff.readUInt16LE(at) === COMPRESSION_TAG) ?? 0
  tiff.writeUInt16LE(compression, entry + 8)
  return tiff
}

test.each([
  [50_000, /TIFF images with the compression ZSTD are not supported/],
  [34_712, /TIFF images with the compression 34712 are not supported/],
])('the error names TIFF compression %i as unsupported', async (compression, message) => {
  const input = await tiffOfCompression(compression)
  for (const key of ['convert', 'strip_meta']) {
    const params = key === 'convert' ? { format: 'png' } : {}
    const failure = operateImage(input, [[key, params]])
    await expect(failure).rejects.toMatchObject({
      error_code: 'input_unreadable',
      message: expect.stringMatching(message),
    })
  }
})

test('the error names an uncompressed HEIF as unsupported', async () => {
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: '#c04020' } })
  const avif = await image.avif().toBuffer()
  avif.write('unci', avif.indexOf('av01', avif.indexOf('infe')), 'latin1')
  avif.write('mif1', 8, 'latin1')
  await expect(operateImage(avif, [['convert', { format: 'png' }]])).rejects.toMatchObject({
    error_code: 'input_unreadable',
    message: expect.stringMatching(/encoded as unci are not supported/),
  })
})
