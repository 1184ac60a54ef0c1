import sharp from 'sharp'
import { expect, test } from 'vitest'
import { withFile } from '../testing/describe-image.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'

const SIDE = 200
const SKIN = [224, 172, 130]
const [DISK_X, DISK_Y, RADIUS] = [530, 100, 60]

/** A gray picture three times as wide as high, with a face-colored disk at the right and noise at the left. */
function picture(): Promise<Buffer> {
  const [width, height] = [3 * SIDE, SIDE]
  const pixels = Buffer.alloc(width * height * 3, 128)
  let noise = 1
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)]
    noise = (noise * 48_271) % 2_147_483_647
    if (x < SIDE / 2) pixels.fill(noise % 256, at * 3, at * 3 + 3)
    else if (Math.hypot(x - DISK_X, y - DISK_Y) < RADIUS) pixels.set(SKIN, at * 3)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

/** Returns how much of a picture is the disk and how much is noise. */
async function contentOf(image: Buffer) {
  const { data, info } = await withFile(image, (path) =>
    sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true }),
  )
  let [disk, noise] = [0, 0]
  for (let at = 0; at < data.length; at += info.channels) {
    const [red = 0, , blue = 0] = data.subarray(at, at + 3)
    if (red - blue > 50) disk += 1
    else if (Math.abs(red - 128) > 20) noise += 1
  }
  const pixels = info.width * info.height
  return { size: [info.width, info.height], disk: disk / pixels, noise: noise / pixels }
}

test.each<[string, ImageSpec[], [number, number]]>([
  ['crop', [['crop', { gravity: 'auto' }]], [SIDE, SIDE]],
  ['resize', [['resize', { width: 100, height: 100, resize_mode: 'fill', gravity: 'auto' }]], [100, 100]],
  [
    'crop, then turned',
    [
      ['crop', { gravity: 'auto' }],
      ['transform', { rotate: 90 }],
    ],
    [SIDE, SIDE],
  ],
])('%s with gravity auto keeps what people look at', async (_name, [first, ...others], size) => {
  if (first === undefined) throw new Error('no operation')
  const { content } = await operateImage(await picture(), [first, ...others])
  const seen = await contentOf(content)
  expect(seen.size).toEqual(size)
  // The whole disk.
  expect(seen.disk).toBeGreaterThan(0.27)
  expect(seen.noise).toBeLessThan(0.02)
})

test('crop with gravity entropy keeps the most details, and center neither', async () => {
  const entropy = await contentOf(
    (await operateImage(await picture(), [['crop', { gravity: 'entropy' }]])).content,
  )
  expect(entropy).toMatchObject({ size: [SIDE, SIDE], disk: 0 })
  expect(entropy.noise).toBeGreaterThan(0.35)
  const center = await contentOf((await operateImage(await picture(), [['crop']])).content)
  expect(center.noise + center.disk).toBe(0)
})
