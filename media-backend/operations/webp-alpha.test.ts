import sharp from 'sharp'
import { expect, test } from 'vitest'
import { withFile } from '../testing/describe-image.ts'
import { operateImage } from '../testing/operate-image.ts'

test.each(['strip_meta', 'device_meta'])(
  '%s keeps the transparency of a lossless WebP',
  async (operation) => {
    const create = { width: 16, height: 16, channels: 4, background: '#3366cc80' } as const
    const drawn = await sharp({ create }).webp({ lossless: true }).toBuffer()
    const params = operation === 'device_meta' ? { preset: 'iphone_16_pro' } : {}
    const { content } = await operateImage(drawn, [[operation, params]])
    const pixels = (image: Buffer) => withFile(image, (path) => sharp(path).raw().toBuffer())
    expect((await pixels(content)).equals(await pixels(drawn))).toBe(true)
  },
)
