/** @module-tag extended */

import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeClip, photo } from '../testing/clips.ts'
import { describeImage, withFile } from '../testing/describe-image.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'

/** Makes random pixels that cannot be compressed. */
function grain(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3)
  for (let index = 0, state = 7; index < pixels.length; index += 1) {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    pixels[index] = state >> 16
  }
  return pixels
}

const still = { width: 200, height: 200, channels: 3 } as const
const grainy = () => sharp(grain(200, 200), { raw: still })

/** Makes frames with six random colors, which a palette compresses well. */
function confetti(): Promise<Buffer> {
  const pixels = grain(80, 180).map((value) => (value < 128 ? 0 : 255))
  const raw = { width: 80, height: 180, channels: 3, pageHeight: 60 } as const
  return sharp(pixels, { raw })
    .gif({ delay: [100, 200, 300] })
    .toBuffer()
}

/** Returns all displayed frames, stacked vertically. */
function framesOf(content: Buffer): Promise<Buffer> {
  return withFile(content, (path) => sharp(path, { animated: true }).ensureAlpha().raw().toBuffer())
}

test('compress keeps the input if its result would be larger, unless a quality is requested', async () => {
  const small = await grainy().jpeg({ quality: 20 }).toBuffer()
  const { content, measured } = await operateImage(small, [['compress']])
  expect(content).toEqual(small)
  expect(measured).toEqual({ width: 200, height: 200, input_kept: true })
  const requested = await operateImage(small, [['compress', { quality: 90 }]])
  expect(requested.content.length).toBeGreaterThan(small.length)
})

test.each<[string, ImageSpec]>([
  ['AVIF', ['compress']],
  ['JPEG with max_kb', ['compress', { max_kb: 1000 }]],
  ['JPEG for the web with max_kb', ['web_optimize', { format: 'jpeg', max_kb: 1000 }]],
])('keeps the compressed data of a small %s', async (name, spec) => {
  const small = grainy()
  const input = await (name === 'AVIF' ? small.avif({ quality: 20 }) : small.jpeg({ quality: 20 })).toBuffer()
  const { content, measured } = await operateImage(input, [spec])
  // The boxes of an AVIF are reordered so exiftool can write to the file.
  if (name !== 'AVIF') expect(content).toEqual(input)
  expect(content).toHaveLength(input.length)
  expect(content.subarray(content.indexOf('mdat'))).toEqual(input.subarray(input.indexOf('mdat')))
  expect(measured?.input_kept).toBe(true)
})

test('a size limit with a quality never produces a lossless file', async () => {
  const flat = await sharp({ create: { ...still, background: '#00ff00' } })
    .png()
    .toBuffer()
  const { measured } = await operateImage(flat, [['web_optimize', { quality: 20, max_kb: 1 }]])
  expect(measured).toEqual({ width: 200, height: 200, quality: 20 })
})

test('removes metadata from an input that is kept', async () => {
  const declared = await grainy()
    .jpeg({ quality: 20 })
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .toBuffer()
  const { content, measured } = await operateImage(declared, [['compress']])
  expect(measured).toMatchObject({ input_kept: true })
  expect([declared.includes('Somebody'), content.includes('Somebody')]).toEqual([true, false])
  expect(await framesOf(content)).toEqual(await framesOf(declared))
})

test('completes a kept GIF that lacks its last byte', async () => {
  const whole = await sharp(grain(80, 60), { raw: { width: 80, height: 60, channels: 3 } })
    .png()
    .toBuffer()
  const palette = await withFile(whole, (path) => sharp(path).gif({ colors: 4, dither: 0 }).toBuffer())
  const endless = palette.subarray(0, -1)
  const { content, facts, measured } = await operateImage(endless, [['compress']])
  expect(facts).toMatchObject({ format: 'gif', width: 80, height: 60 })
  expect(measured?.input_kept).toBe(true)
  expect(content).toEqual(palette)
})

test('re-encodes an image to rotate it or convert its colors, without making it larger', async () => {
  const turned = await grainy().jpeg({ quality: 20 }).withMetadata({ orientation: 6 }).toBuffer()
  const wide = await grainy().withIccProfile('p3').jpeg({ quality: 20 }).toBuffer()
  for (const input of [turned, wide]) {
    const { content, measured } = await operateImage(input, [['compress']])
    expect(content.length).toBeLessThanOrEqual(input.length)
    expect(measured?.quality).toBeLessThan(75)
    expect(await describeImage(content)).toMatchObject({ hasProfile: false })
  }
})

test('web_optimize makes no animation larger, and tries lossless encoding first', async () => {
  const animation = await confetti()
  for (const params of [{}, { max_kb: Math.ceil(animation.length / 1024) }]) {
    const { content, facts, measured } = await operateImage(animation, [['web_optimize', params]])
    expect(content.length).toBeLessThan(animation.length)
    expect(facts).toMatchObject({ format: 'webp', pages: 3 })
    expect(measured).toEqual({ width: 80, height: 60, lossless: true })
    expect(await framesOf(content)).toEqual(await framesOf(animation))
  }
})

test('web_optimize makes no photo larger', async () => {
  const small = await withFile(await photo(), (path) => sharp(path).jpeg({ quality: 30 }).toBuffer())
  const { content, measured } = await operateImage(small, [['web_optimize']])
  expect(content.length).toBeLessThanOrEqual(small.length)
  expect(measured?.quality).toBeLessThan(80)
})

test.each<[ImageSpec, ...ImageSpec[]]>([
  [['web_optimize', { format: 'png' }]],
  [['compress'], ['convert', { format: 'png' }]],
])('%j is lossless, although a JPEG becomes larger', async (...specs) => {
  const small = await grainy().jpeg({ quality: 20 }).toBuffer()
  const { content, facts } = await operateImage(small, specs)
  expect(facts.format).toBe('png')
  expect(await framesOf(content)).toEqual(await framesOf(small))
})

test('does not treat a wide gamut as sRGB when compress is part of a pipeline', async () => {
  const pixels = { create: { ...still, background: '#00ff00' } }
  const wide = await sharp(pixels).withIccProfile('p3').png({ palette: true, colors: 2 }).toBuffer()
  const { content } = await operateImage(wide, [['compress'], ['convert', { format: 'png' }]])
  const [red = 0, green = 0, blue = 0] = await withFile(content, (path) =>
    sharp(path).toColorspace('srgb').raw().toBuffer(),
  )
  expect([red < 8, green > 247, blue < 8]).toEqual([true, true, true])
  expect((await describeImage(content)).hasProfile).toBe(true)
})

test('reports a larger result if neither a smaller one nor the input is possible', async () => {
  const pixels = { create: { ...still, background: '#00ff00' } }
  const wide = await sharp(pixels).withIccProfile('p3').png({ palette: true, colours: 2 }).toBuffer()
  const spec: ImageSpec = ['web_optimize', { format: 'png' }]
  const { content, measured } = await operateImage(wide, [spec])
  expect(content.length).toBeGreaterThan(wide.length)
  expect(measured).toMatchObject({ larger_than_input: true })
  const large = await operateImage(await grainy().withIccProfile('p3').png().toBuffer(), [spec])
  expect(large.measured).not.toHaveProperty('larger_than_input')
})

test('reports that an animated AVIF becomes larger as WebP', async () => {
  const moving = ['-f', 'lavfi', '-i', 'testsrc2=s=128x96:r=10:d=0.5', '-c:v', 'libaom-av1', '-cpu-used', '8']
  const animation = await makeClip('moving.avif', [...moving, '-pix_fmt', 'yuv420p', '-crf', '63'])
  const { content, measured } = await operateImage(animation, [['web_optimize']])
  expect(content.length).toBeGreaterThan(animation.length)
  expect(measured?.larger_than_input).toBe(true)
})

test('a PNG that is kept with its profile is not larger', async () => {
  const pixels = { create: { ...still, background: '#00ff00' } }
  const input = await sharp(pixels).withIccProfile('srgb').png({ palette: true, colours: 2 }).toBuffer()
  const { content, measured } = await operateImage(input, [['web_optimize', { format: 'png' }]])
  expect(content.length).toBeLessThanOrEqual(input.length)
  expect(measured?.input_kept).toBe(true)
})
