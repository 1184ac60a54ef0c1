import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { measureSimilarity } from '../steps/image/similarity.ts'
import { withFile } from '../testing/describe-image.ts'
import { operateImage } from '../testing/operate-image.ts'

/** Similarity that the operation aims at. */
const TARGETS = { jpeg: 0.97, webp: 0.97, avif: 0.955 }
const SIZE = { width: 700, height: 600 }

/** Makes an image of wide waves, or of fine ones with much contrast. */
function drawWaves(period: number, contrast: number): Sharp {
  const { width, height } = SIZE
  const data = Buffer.alloc(width * height * 3)
  for (let at = 0; at < data.length; at += 1) {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)]
    data[at] = 128 + contrast * Math.sin((x * (1 + (at % 3) / 5)) / period) * Math.cos((y + x / 3) / period)
  }
  return sharp(data, { raw: { ...SIZE, channels: 3 } })
}

const waves = (period: number, contrast: number) => drawWaves(period, contrast).png().toBuffer()

const readGray = (content: Buffer) => withFile(content, (path) => sharp(path).grayscale().raw().toBuffer())

test.each(['jpeg', 'webp', 'avif'] as const)(
  '%s has the lowest quality that looks like the source',
  async (format) => {
    const qualities: number[] = []
    for (const source of [await waves(40, 100), await waves(0.7, 20)]) {
      const { content, measured } = await operateImage(source, [['web_optimize', { format }]])
      const similarity = measureSimilarity(await readGray(source), await readGray(content), SIZE)
      // The search compares a sample in steps of four.
      if ((measured?.quality ?? 0) < 64) expect(similarity).toBeGreaterThan(TARGETS[format] - 0.01)
      qualities.push(measured?.quality ?? 0)
    }
    const [smooth = 0, fine = 0] = qualities
    expect(smooth).toBeGreaterThan(0)
    expect(fine).toBeGreaterThan(smooth)
  },
)

test('a quality or a maximum size from the caller is not searched for', async () => {
  const source = await waves(40, 100)
  const given = await operateImage(source, [['web_optimize', { quality: 90 }]])
  expect(given.measured?.quality).toBeUndefined()
  const limited = await operateImage(source, [['web_optimize', { max_kb: 500 }]])
  expect(limited.measured?.quality).toBe(80)
})

test('searches neither for PNG nor after a conversion', async () => {
  const source = await waves(40, 100)
  const png = await operateImage(source, [['web_optimize', { format: 'png' }]])
  expect(png.measured?.quality).toBeUndefined()
  const converted = await operateImage(source, [['web_optimize'], ['convert', { format: 'webp' }]])
  expect(converted.measured?.quality).toBeUndefined()
})

test.each([
  ['compress', true],
  ['resize', false],
])('a JPEG by %s is progressive: %s', async (operation, is_progressive) => {
  const jpeg = await drawWaves(0.7, 60).jpeg({ quality: 95 }).toBuffer()
  const { content } = await operateImage(jpeg, [[operation, operation === 'resize' ? { width: 350 } : {}]])
  expect((await withFile(content, (path) => sharp(path).metadata())).isProgressive).toBe(is_progressive)
})
