import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { once } from '../testing/clips.ts'
import { withFile } from '../testing/look.ts'
import { type ImageOrder, operateImage } from '../testing/operate-image.ts'

const SIZE = { width: 120, height: 80 }
const GREY_LEVEL = 128

/** A mid-grey image in each way that grey, or a color, is stored. */
const SOURCES = {
  'grey JPEG': () => grey().jpeg(),
  'grey PNG': () => grey().png(),
  '16-bit grey PNG': () => grey().toColourspace('grey16').png(),
  'grey PNG with alpha': () => grey().ensureAlpha().toColourspace('b-w').png(),
  '1-bit PNG': () => grey().threshold(100).png({ palette: true, colours: 2 }),
  'palette PNG': () => plain().png({ palette: true }),
  'grey TIFF': () => grey().tiff({ compression: 'lzw' }),
  '1-bit TIFF': () => grey().threshold(100).tiff({ bitdepth: 1, compression: 'none' }),
  'grey WebP': () => grey().webp({ lossless: true }),
  'CMYK JPEG': () => plain().toColourspace('cmyk').withIccProfile('cmyk').jpeg(),
  '16-bit color PNG': () => plain().toColourspace('rgb16').png(),
  'color JPEG': () => plain().jpeg(),
  'grey GIF': () => grey().gif(),
}
const RED = [255, 0, 0]
const TOLERANCE = 12

function plain() {
  return sharp({ create: { ...SIZE, channels: 3, background: { r: 128, g: 128, b: 128 } } })
}

function grey() {
  return plain().toColourspace('b-w')
}

/** A plain green square, as a logo. */
const logo = once(() =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer(),
)

const DRAWN: { name: string; order: ImageOrder; at: [number, number]; color: number[]; is_logo?: true }[] = [
  {
    name: 'social fit with a background',
    order: ['social', { width: 100, height: 100, resize_mode: 'fit', bg_color: '#ff0000' }],
    at: [50, 5],
    color: RED,
  },
  {
    name: 'transform rotate with a background',
    order: ['transform', { rotate: 45, bg_color: '#ff0000' }],
    at: [5, 5],
    color: RED,
  },
  {
    name: 'circle with a background',
    order: ['circle', { diameter: 64, bg_color: '#ff0000' }],
    at: [1, 1],
    color: RED,
  },
  {
    name: 'a logo',
    order: ['watermark', { position: 'c', size: 50, opacity: 1 }],
    at: [60, 40],
    color: [0, 255, 0],
    is_logo: true,
  },
  {
    name: 'a colored text',
    order: ['watermark', { text: '█████', color: '#ff0000', position: 'c', size: 90, opacity: 1 }],
    at: [60, 40],
    color: RED,
  },
]

describe('a color drawn on any source keeps its hue', () => {
  for (const [source, make] of Object.entries(SOURCES)) {
    test.each(DRAWN)(`${source}: $name`, async ({ order, at: [left, top], color, is_logo }) => {
      const options = is_logo ? { logo: await logo() } : {}
      const params = is_logo ? { ...order[1], logo_url: 'https://example.org/logo.png' } : order[1]
      const { content } = await operateImage(await make().toBuffer(), [[order[0], params]], options)
      const data = await withFile(content, (path) =>
        sharp(path)
          .extract({ left, top, width: 1, height: 1 })
          .removeAlpha()
          .toColourspace('srgb')
          .raw()
          .toBuffer(),
      )
      const away = color.map((level, channel) => Math.abs(level - (data[channel] ?? GREY_LEVEL)))
      expect(Math.max(...away), `${[...data]}`).toBeLessThanOrEqual(TOLERANCE)
    })
  }
})
