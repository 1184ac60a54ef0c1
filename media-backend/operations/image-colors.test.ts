import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { once } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'

const SIZE = { width: 120, height: 80 }
const GRAY_LEVEL = 128

/** A middle-gray image in each gray and color encoding. */
const SOURCES = {
  'gray JPEG': () => gray().jpeg(),
  'gray PNG': () => gray().png(),
  '16-bit gray PNG': () => gray().toColorspace('grey16').png(),
  'gray PNG with alpha': () => gray().ensureAlpha().toColorspace('b-w').png(),
  '1-bit PNG': () => gray().threshold(100).png({ palette: true, colors: 2 }),
  'palette PNG': () => plain().png({ palette: true }),
  'gray TIFF': () => gray().tiff({ compression: 'lzw' }),
  '1-bit TIFF': () => gray().threshold(100).tiff({ bitdepth: 1, compression: 'none' }),
  'gray WebP': () => gray().webp({ lossless: true }),
  'CMYK JPEG': () => plain().toColorspace('cmyk').withIccProfile('cmyk').jpeg(),
  '16-bit color PNG': () => plain().toColorspace('rgb16').png(),
  'color JPEG': () => plain().jpeg(),
  'gray GIF': () => gray().gif(),
}
const RED = [255, 0, 0]
const TOLERANCE = 12

function plain() {
  return sharp({ create: { ...SIZE, channels: 3, background: { r: 128, g: 128, b: 128 } } })
}

function gray() {
  return plain().toColorspace('b-w')
}

/** A solid green square used as a logo. */
const logo = once(() =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer(),
)

const DRAWN: { name: string; spec: ImageSpec; at: [number, number]; color: number[]; is_logo?: true }[] = [
  {
    name: 'social fit with a background',
    spec: ['social', { width: 100, height: 100, resize_mode: 'fit', bg_color: '#ff0000' }],
    at: [50, 5],
    color: RED,
  },
  {
    name: 'transform rotate with a background',
    spec: ['transform', { rotate: 45, bg_color: '#ff0000' }],
    at: [5, 5],
    color: RED,
  },
  {
    name: 'circle with a background',
    spec: ['circle', { diameter: 64, bg_color: '#ff0000' }],
    at: [1, 1],
    color: RED,
  },
  {
    name: 'a logo',
    spec: ['watermark', { position: 'c', size: 50, opacity: 1 }],
    at: [60, 40],
    color: [0, 255, 0],
    is_logo: true,
  },
  {
    name: 'a colored text',
    spec: ['watermark', { text: '█████', color: '#ff0000', position: 'c', size: 90, opacity: 1 }],
    at: [60, 40],
    color: RED,
  },
]

describe('keeps the hue of a drawn color on any source', () => {
  for (const [source, make] of Object.entries(SOURCES)) {
    test.each(DRAWN)(`${source}: $name`, async ({ spec, at: [left, top], color, is_logo }) => {
      const options = is_logo ? { logo: await logo() } : {}
      const params = is_logo ? { ...spec[1], logo_url: 'https://example.org/logo.png' } : spec[1]
      const { content } = await operateImage(await make().toBuffer(), [[spec[0], params]], options)
      const data = await withFile(content, (path) =>
        sharp(path)
          .extract({ left, top, width: 1, height: 1 })
          .removeAlpha()
          .toColorspace('srgb')
          .raw()
          .toBuffer(),
      )
      const away = color.map((level, channel) => Math.abs(level - (data[channel] ?? GRAY_LEVEL)))
      expect(Math.max(...away), `${[...data]}`).toBeLessThanOrEqual(TOLERANCE)
    })
  }
})

/** Makes a file with a P3 profile whose displayed color is `shown`. */
function profiled(space: 'srgb' | 'rgb16', shown: { r: number; g: number; b: number }) {
  const image = sharp({ create: { ...SIZE, channels: 3, background: shown } })
  return image.toColorspace(space).withIccProfile('p3').png().toBuffer()
}

describe.each(['srgb', 'rgb16'] as const)(
  'converts a P3 source with %s pixels to sRGB when it is',
  (space) => {
    test.each<[string, ImageSpec]>([
      ['resized', ['resize', { width: 60 }]],
      ['rotated', ['transform', { rotate: 90 }]],
      ['converted to JPEG', ['convert', { format: 'jpeg', quality: 95 }]],
      ['optimized for the web', ['web_optimize', {}]],
      ['blurred', ['enhance', { blur: 3 }]],
      ['watermarked with text', ['watermark', { text: 'x', size: 5, position: 'tl' }]],
      ['cropped to a circle', ['circle', { diameter: 64 }]],
      ['rotated onto a background', ['transform', { rotate: 5, bg_color: '#336699' }]],
    ])('%s', async (_, spec) => {
      const { content } = await operateImage(await profiled(space, { r: 200, g: 100, b: 50 }), [spec])
      const { data, info } = await withFile(content, (path) =>
        sharp(path).removeAlpha().toColorspace('srgb').raw().toBuffer({ resolveWithObject: true }),
      )
      const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels
      const color = [...data.subarray(middle, middle + 3)]
      const away = [200, 100, 50].map((level, channel) => Math.abs(level - (color[channel] ?? 0)))
      expect(Math.max(...away), `${color}`).toBeLessThanOrEqual(3)
    })
  },
)
