import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { measureSimilarity } from '../steps/image/similarity.ts'
import { withFile } from '../testing/describe-image.ts'
import { operateImage } from '../testing/operate-image.ts'

const [WIDTH, HEIGHT] = [400, 300]
const PNG_DEPTH_OFFSET = 24

/** Draws thin slanted lines in a number of gray levels, as a scan has them. */
function drawScan(levels: number): Promise<Buffer> {
  const data = Buffer.from(
    Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
      const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)]
      return (x + 2 * y) % 17 < 3
        ? Math.floor((255 * (Math.floor(x / 9) % (levels - 1))) / (levels - 1))
        : 255
    }),
  )
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .png()
    .toBuffer()
}

const grayOf = (image: Buffer) =>
  withFile(image, (path) => sharp(path).flatten({ background: '#fff' }).grayscale().raw().toBuffer())
const convert = (image: Buffer, write: (picture: Sharp) => Sharp) =>
  withFile(image, (path) => write(sharp(path)).toBuffer())

describe('images of few colors stay lossless', () => {
  test.each([2, 4, 16])('compress writes a scan of %i levels as an exact PNG', async (levels) => {
    const drawn = await drawScan(levels)
    const scan = await convert(drawn, (picture) =>
      levels === 2
        ? picture.toColourspace('b-w').tiff({ bitdepth: 1, compression: 'ccittfax4' })
        : picture
            .toColourspace('b-w')
            .tiff({ bitdepth: levels === 4 ? 2 : 4, compression: 'deflate', predictor: 'none' }),
    )
    const { file, content } = await operateImage(scan, [['compress']])
    expect(file).toBe('compressed.png')
    expect((await grayOf(content)).equals(await grayOf(scan))).toBe(true)
    const depth = content.readUInt8(PNG_DEPTH_OFFSET)
    expect(2 ** depth).toBe(levels)
  })

  test.each(['png', 'webp'])('compress to %s keeps all of 200 colors', async (format) => {
    const drawn = await drawScan(200)
    const { content, measured } = await operateImage(drawn, [['compress', { format }]])
    expect(measured).toMatchObject({ lossless: true })
    expect((await grayOf(content)).equals(await grayOf(drawn))).toBe(true)
    expect(content.length).toBeLessThanOrEqual(drawn.length)
  })
})

test('compress lowers the quality only as long as the image looks like its source', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 25 } as const
  const drawn = await sharp({
    create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#000', noise },
  })
    .blur(0.6)
    .png()
    .toBuffer()
  // Turned by its orientation, so the pixels of the input cannot be kept.
  const source = await convert(drawn, (picture) =>
    picture.jpeg({ quality: 12 }).withMetadata({ orientation: 2 }),
  )
  const { content, measured } = await operateImage(source, [['compress']])
  const upright = await convert(source, (picture) => picture.autoOrient().png())
  const size = { width: WIDTH, height: HEIGHT }
  expect(measureSimilarity(await grayOf(upright), await grayOf(content), size)).toBeGreaterThan(0.78)
  expect(measured?.quality ?? 75).toBeGreaterThan(5)
})
