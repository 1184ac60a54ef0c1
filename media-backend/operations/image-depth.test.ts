/** @module-tag extended */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import sharp, { type Metadata } from 'sharp'
import { expect, test } from 'vitest'
import { describeImage, withFile } from '../testing/describe-image.ts'
import { HEIC } from '../testing/heic-image.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'

const execute = promisify(execFile)

const [WIDTH, HEIGHT] = [64, 48]

/** Makes an image with 16 bits per channel and more distinct values than 8 bits can represent. */
function deep(channels: 1 | 2 | 3 | 4) {
  const pixels = Uint16Array.from(
    { length: WIDTH * HEIGHT * channels },
    (_, index) => (index * 1237 + 11) % 65_536,
  )
  const space = channels < 3 ? 'grey16' : 'rgb16'
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels } }).toColorspace(space)
}

/** Returns the pixel format of an image and the hash of its 16-bit pixels, as decoded by ffmpeg. */
function readIndependently(content: Buffer, pixels = 'rgba64le'): Promise<{ format: string; hash: string }> {
  return withFile(content, async (path) => {
    const probe = ['-v', 'error', '-show_entries', 'stream=pix_fmt', '-of', 'csv=p=0', path]
    const hash = ['-v', 'error', '-i', path, '-pix_fmt', pixels, '-f', 'framemd5', '-']
    const [probed, hashed] = await Promise.all([execute('ffprobe', probe), execute('ffmpeg', hash)])
    return {
      format: probed.stdout.trim(),
      hash:
        hashed.stdout
          .trim()
          .split(/[\s,]+/)
          .at(-1) ?? '',
    }
  })
}

const PNG: ImageSpec = ['convert', { format: 'png' }]

test.each([
  [1, 'gray16be'],
  [2, 'ya16be'],
  [3, 'rgb48be'],
  [4, 'rgba64be'],
] as const)('converts a PNG of %i 16-bit channels without loss', async (channels, format) => {
  const input = await deep(channels).png().toBuffer()
  const { content } = await operateImage(input, [PNG])
  expect(await readIndependently(content)).toEqual({ format, hash: (await readIndependently(input)).hash })
  const sized = await operateImage(input, [['convert', { format: 'png', max_kb: 100 }]])
  expect(await readIndependently(sized.content)).toEqual(await readIndependently(content))
})

test('converts a 16-bit TIFF to an identical 16-bit PNG', async () => {
  const input = await deep(3).tiff({ compression: 'deflate' }).toBuffer()
  const { content } = await operateImage(input, [PNG])
  const { format, hash } = await readIndependently(content, 'rgb48le')
  expect([format, hash]).toEqual(['rgb48be', (await readIndependently(input, 'rgb48le')).hash])
})

test.each<[ImageSpec[], string]>([
  [[['resize', { width: 32 }]], 'rgb48be'],
  [[['transform', { rotate: 20 }]], 'rgba64be'],
  [
    [
      ['crop', {}],
      ['transform', { rotate: 90 }],
      ['resize', { width: 20 }],
    ],
    'rgb48be',
  ],
  [[['watermark', { text: 'x' }]], 'rgb24'],
  [[['web_optimize', { format: 'png' }]], 'rgb24'],
  [[['compress', {}]], 'pal8'],
])('a 16-bit PNG changed by %j is %s', async ([first, ...others], format) => {
  if (first === undefined) throw new Error('no operation')
  const { content } = await operateImage(await deep(3).png().toBuffer(), [first, ...others])
  expect((await readIndependently(content)).format).toBe(format)
})

test('four quarter turns of a 16-bit image restore its pixels', async () => {
  const input = await deep(4).png().toBuffer()
  const turn: ImageSpec = ['transform', { rotate: 90 }]
  const { content } = await operateImage(input, [turn, turn, turn, turn])
  expect((await readIndependently(content)).hash).toBe((await readIndependently(input)).hash)
})

/** Returns the stored pixel values, ignoring the profile. */
function readNumbers(content: Buffer): Promise<Buffer> {
  return withFile(content, (path) => sharp(path, { ignoreIcc: true }).raw().toBuffer())
}

async function profileOf(content: Buffer): Promise<Metadata['icc']> {
  return (await describeImage(content)).icc
}

test('keeps a wide gamut and its profile in a PNG that is only converted', async () => {
  const [red, green] = [Buffer.from([255, 0, 0]), Buffer.from([0, 255, 0])]
  const pixels = Buffer.concat([...Array<Buffer>(32).fill(red), ...Array<Buffer>(32).fill(green)])
  const untagged = await sharp(pixels, { raw: { width: 8, height: 8, channels: 3 } })
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const made = await operateImage(untagged, [PNG])
  expect(await readNumbers(made.content)).toEqual(await readNumbers(untagged))
  expect(await profileOf(made.content)).toEqual(await profileOf(untagged))
  const drawn = await operateImage(untagged, [PNG, ['transform', { flip: 'h' }]])
  expect(await profileOf(drawn.content)).toBeUndefined()
})

test('converts CMYK, which PNG does not support, to sRGB by its profile', async () => {
  const input = await deep(3).toColorspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer()
  expect((await describeImage(input)).space).toBe('cmyk')
  const { content } = await operateImage(input, [PNG])
  expect(await describeImage(content)).toMatchObject({ space: 'srgb', depth: 'uchar', hasProfile: false })
})

test('keeps an 8-bit HEIC at 8 bits', async () => {
  expect((await readIndependently((await operateImage(HEIC, [PNG])).content)).format).toBe('rgb24')
})

test('converts floating-point colors correctly when transparency is added', async () => {
  const plain = sharp({ create: { width: 40, height: 40, channels: 3, background: '#ff8000' } })
  const input = await plain.toColorspace('scrgb').tiff({ compression: 'deflate' }).toBuffer()
  expect((await describeImage(input)).depth).toBe('float')
  const { content } = await operateImage(input, [['transform', { rotate: 20 }]])
  const [middle] = await withFile(content, async (path) => {
    const { width = 0, height = 0 } = await sharp(path).metadata()
    const area = { left: Math.floor(width / 2), top: Math.floor(height / 2), width: 1, height: 1 }
    return [[...(await sharp(path).extract(area).raw().toBuffer())]]
  })
  expect(middle).toEqual([255, 128, 0, 255])
})

const SATURATED = { saturation: 1.5 }

test.each<{ specs: [ImageSpec, ...ImageSpec[]] }>([
  { specs: [['enhance', { sharpness: 2, ...SATURATED }]] },
  { specs: [['enhance', { blur: 2, ...SATURATED }]] },
  {
    specs: [
      ['resize', { width: 32 }],
      ['enhance', SATURATED],
    ],
  },
  {
    specs: [
      ['crop', { crop_aspect: '1:1' }],
      ['enhance', { sharpness: 2 }],
      ['resize', { width: 20 }],
    ],
  },
  {
    specs: [
      ['enhance', SATURATED],
      ['transform', { rotate: 20 }],
    ],
  },
])('a 16-bit image keeps its transparency with $specs', async ({ specs }) => {
  const half = { r: 200, g: 200, b: 200, alpha: 0.5 }
  for (const space of ['grey16', 'rgb16']) {
    const plain = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 4, background: half } })
    const { content } = await operateImage(await plain.toColorspace(space).png().toBuffer(), specs)
    const { channels } = await withFile(content, (path) => sharp(path).stats())
    const top = (await describeImage(content)).depth === 'ushort' ? 65_535 : 255
    const [red = 0, alpha = 0] = [channels.at(0)?.max, channels.at(-1)?.max]
    expect(
      [red / top, alpha / top].map((share) => share.toFixed(1)),
      space,
    ).toEqual(['0.8', '0.5'])
  }
})
