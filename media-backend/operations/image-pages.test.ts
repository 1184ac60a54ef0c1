import sharp from 'sharp'
import { expect, test } from 'vitest'
import { withFile } from '../testing/describe-image.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'

/**
 * Makes a TIFF with two pages of 40 x 20 pixels. The first is red on the left and green on the right; the second is
 * blue.
 */
async function twoPages(orientation?: number): Promise<Buffer> {
  const [width, height] = [40, 20]
  const pixels = Buffer.alloc(width * height * 2 * 3)
  for (let index = 0; index < width * height * 2; index += 1) {
    const channel = index >= width * height ? 2 : index % width < width / 2 ? 0 : 1
    pixels[index * 3 + channel] = 255
  }
  const raw = { width, height: height * 2, channels: 3, pageHeight: height } as const
  return sharp(pixels, { raw }).withMetadata({ orientation }).tiff().toBuffer()
}

/** Returns the index of the strongest channel (red, green or blue) in the first and last pixels. */
function ends(content: Buffer): Promise<number[]> {
  return withFile(content, async (path) => {
    const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const corners = [data.subarray(0, 3), data.subarray(data.length - info.channels)]
    return corners.map((pixel) => pixel.indexOf(Math.max(...pixel)))
  })
}

/** A HEIC file with two images of 64 x 32 pixels: a red primary image and a blue one. */
const TWO_IMAGES = Buffer.from(
  [
    'AAAAKGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZm1pZjFoZWljbWlhZgAAAs1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAA',
    'AAAAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAAGGlkYXQAAAAAAEAAIAAAAAAAQAAgAAAAYGlsb2MBAAAAREAABAABAAAAAAAAAv0A',
    'AQAAAAAAAAAbAAIAAQAAAAAAAAABAAAAAAAAAAgAAwAAAAAAAAMYAAEAAAAAAAAAGwAEAAEAAAAAAAAAAQAAAAgAAAAIAAAAYmlp',
    'bmYAAAAAAAQAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAAAVaW5mZQIAAAEAAwAAaHZjMQAAAAAV',
    'aW5mZQIAAAAABAAAZ3JpZAAAAAGQaXBycAAAAWRpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//',
    'A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAADACEiAAEABkQBwXPA',
    'iQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAACAAAAAQcGl4aQAAAAADCAgIAAAAdmh2Y0MBA3AAAAAAAAAA',
    'AAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4',
    'EBAwIAAAAwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAACAAAAAQcGl4aQAA',
    'AAADCAgIAAAAJGlwbWEAAAAAAAAABAABAoECAAICA4QAAwKFBgAEAgeIAAAAKGlyZWYAAAAAAAAADmRpbWcAAgABAAEAAAAOZGlt',
    'ZwAEAAEAAwAAAD5tZGF0AAAAFygBrxmA70mlv//ihh/5rWv+v61pj5uAAAAAFygBrxmA70mlv//wryEfdlG/hq1pj5uA',
  ].join(''),
  'base64',
)

test('reads the primary image of a HEIC file with several images', async () => {
  const { facts, content } = await operateImage(TWO_IMAGES, [['social', { width: 32, height: 32 }]])
  expect(facts).toMatchObject({ format: 'jpeg', width: 32, height: 32, pages: 1 })
  expect(await ends(content)).toEqual([0, 0])
  expect((await operateImage(TWO_IMAGES, [['strip_meta']])).facts).toMatchObject({
    format: 'heic',
    pages: 1,
  })
})

test('reads the first page of a TIFF, in its displayed size', async () => {
  const plain = await operateImage(await twoPages(), [['convert', { format: 'png' }]])
  expect(plain.facts).toMatchObject({ width: 40, height: 20, pages: 1 })
  expect(await ends(plain.content)).toEqual([0, 1])
  const turned = await operateImage(await twoPages(6), [['resize', { width: 16 }]])
  expect(turned.facts).toMatchObject({ width: 16, height: 32 })
})

const specs: [ImageSpec, { width: number; height: number }][] = [
  [['crop', { crop_aspect: '1:1' }], { width: 20, height: 20 }],
  [['social', { width: 64, height: 64 }], { width: 64, height: 64 }],
  [['circle'], { width: 20, height: 20 }],
  [['convert', { format: 'webp' }], { width: 20, height: 40 }],
  [['convert', { format: 'avif' }], { width: 20, height: 40 }],
  [['transform', { flip: 'h' }], { width: 20, height: 40 }],
]

test.each(specs)('%j of a TIFF of two pages returns one upright image', async (spec, size) => {
  const { facts, content } = await operateImage(await twoPages(6), [spec])
  expect(facts).toMatchObject({ ...size, pages: 1 })
  expect(facts.format).not.toBe('tiff')
  expect(await ends(content)).not.toContain(2)
})
