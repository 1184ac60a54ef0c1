/** @module-tag extended */

import sharp from 'sharp'
import { expect, test } from 'vitest'
import { number32 } from '../testing/boxes.ts'
import { withFile } from '../testing/describe-image.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'
import { pngChunk, withPngChunks } from '../testing/png.ts'

type Color = [red: number, green: number, blue: number]

const chunkOf = (type: string, ...values: number[]) =>
  pngChunk(type, number32(...values.map((value) => Math.round(value * 100_000))))
const P3 = chunkOf('cHRM', 0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06)
const BT709 = chunkOf('cHRM', 0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)
const GRAY = 3

async function convert(coded: Color, chunks: Buffer[], is_gray = false): Promise<number[]> {
  const [r, g, b] = coded
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: { r, g, b } } })
  const png = await (is_gray ? image.toColorspace('b-w') : image).png().toBuffer()
  const { content } = await operateImage(withPngChunks(png, chunks), [['convert', { format: 'png' }]])
  const pixels = await withFile(content, (path) => sharp(path).toColorspace('srgb').raw().toBuffer())
  return [...pixels.subarray(0, GRAY)]
}

/** Converts a value encoded with a power law to sRGB. */
function toSrgb(coded: number, gamma: number): number {
  const light = (coded / 255) ** gamma
  return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)
}

function expectClose(color: readonly number[], wanted: readonly number[]): void {
  const distance = Math.max(...color.map((value, channel) => Math.abs(value - (wanted[channel] ?? -1000))))
  expect(distance, `${color} for ${wanted}`).toBeLessThanOrEqual(3)
}

test.each([1, 1.8, 3])('converts a PNG of gamma %d to the colors of sRGB', async (gamma) => {
  const coded: Color = [180, 110, 60]
  const wanted = coded.map((value) => toSrgb(value, gamma))
  expectClose(await convert(coded, [chunkOf('gAMA', 1 / gamma)]), wanted)
})

test('converts a PNG with the chromaticities of P3 to the colors of sRGB', async () => {
  expectClose(await convert([200, 100, 50], [chunkOf('gAMA', 0.45455), P3]), [215, 93, 31])
})

test.each<[string, Buffer[]]>([
  ['the gamma and chromaticities of sRGB', [chunkOf('gAMA', 0.45455), BT709]],
  ['an sRGB chunk in addition', [chunkOf('gAMA', 1), P3, pngChunk('sRGB', Buffer.from([0]))]],
  ['a gamma of 0', [chunkOf('gAMA', 0)]],
  ['chromaticities of 0', [chunkOf('cHRM', 0, 0, 0, 0, 0, 0, 0, 0)]],
  ['short chunks', [pngChunk('gAMA', Buffer.alloc(1)), pngChunk('cHRM', Buffer.alloc(5))]],
])('keeps the colors of a PNG with %s', async (_name, chunks) => {
  expect(await convert([200, 100, 50], chunks)).toEqual([200, 100, 50])
})

test('converts a gray PNG of gamma 1 to sRGB gray', async () => {
  const wanted = toSrgb(128, 1)
  expectClose(await convert([128, 128, 128], [chunkOf('gAMA', 1)], true), [wanted, wanted, wanted])
})

test.each<ImageSpec>([
  ['convert', { format: 'png' }],
  ['convert', { format: 'jpeg' }],
  ['resize', { width: 20 }],
  ['transform', { rotate: 90 }],
  ['enhance', { blur: 1 }],
])('converts a 16-bit gray PNG of gamma 1 to sRGB gray with %j', async (...spec) => {
  const wanted = toSrgb(128, 1)
  const gray = sharp({ create: { width: 40, height: 30, channels: 3, background: '#808080' } })
  const deep = () => gray.clone().toColorspace('grey16')
  for (const image of [deep(), deep().ensureAlpha(1)]) {
    const input = withPngChunks(await image.png().toBuffer(), [chunkOf('gAMA', 1)])
    const { content } = await operateImage(input, [spec])
    const pixels = await withFile(content, (path) => sharp(path).toColorspace('srgb').raw().toBuffer())
    expectClose([...pixels.subarray(0, GRAY)], [wanted, wanted, wanted])
  }
})
