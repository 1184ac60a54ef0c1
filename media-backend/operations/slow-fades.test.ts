/** @module-tag extended */

import sharp from 'sharp'
import { expect, test } from 'vitest'
import { withFile } from '../testing/describe-image.ts'
import { operateImage } from '../testing/operate-image.ts'

const [WIDTH, HEIGHT, COUNT] = [96, 64, 80]
const FRAME_BYTES = WIDTH * HEIGHT * 4

/** Makes a pattern that fades to black so slowly that consecutive frames hardly differ. */
function fade(width = WIDTH, height = HEIGHT): Buffer {
  const pixels = Buffer.alloc(width * height * 4 * COUNT, 255)
  for (let index = 0; index < width * height * COUNT; index += 1) {
    const [frame, x] = [Math.floor(index / (width * height)), index % width]
    const y = Math.floor(index / width) % height
    const light = 1 - frame / (COUNT - 1)
    const color = [x * 2.5, y * 3.9, 128 + 100 * Math.sin(x / 9) * Math.cos(y / 7)]
    for (const [channel, value] of color.entries()) pixels[index * 4 + channel] = Math.round(value * light)
  }
  return pixels
}

async function framesOf(
  content: Buffer,
): Promise<{ pixels: Buffer; delay: number[]; loop: number | undefined }> {
  return withFile(content, async (path) => {
    const { delay = [], loop } = await sharp(path, { pages: -1 }).metadata()
    return { pixels: await sharp(path, { pages: -1 }).ensureAlpha().raw().toBuffer(), delay, loop }
  })
}

/** Returns the peak signal-to-noise ratio of the worst frame, in decibels. */
function worstRatio(shown: Buffer, wanted: Buffer): number {
  const ratios = Array.from({ length: COUNT }, (_, frame) => {
    let squares = 0
    for (let at = frame * FRAME_BYTES; at < (frame + 1) * FRAME_BYTES; at += 1)
      squares += ((shown[at] ?? 0) - (wanted[at] ?? 0)) ** 2
    return 10 * Math.log10((255 * 255 * FRAME_BYTES) / Math.max(1, squares))
  })
  return Math.min(...ratios)
}

const raw = { width: WIDTH, height: HEIGHT * COUNT, channels: 4, pageHeight: HEIGHT } as const

/** Makes a small fade with the given frame durations, for tests that look only at those. */
function smallFade(format: 'gif' | 'webp', delay: number[]): Promise<Buffer> {
  const raw = { width: 24, height: 16 * COUNT, channels: 4, pageHeight: 16 } as const
  return sharp(fade(24, 16), { raw }).toFormat(format, { delay, lossless: true }).toBuffer()
}
const delay = Array.from({ length: COUNT }, (_, index) => 40 + 10 * (index % 3))

test.each([
  ['convert', { format: 'webp' }, 34],
  ['convert', { format: 'webp', quality: 40 }, 28],
  ['compress', {}, 33],
] as const)('%s %j leaves no ghosts of a slow fade in a WebP', async (key, params, ratio_min) => {
  const pixels = fade()
  const input = await sharp(pixels, { raw }).webp({ lossless: true, delay, loop: 3 }).toBuffer()
  const { content, facts } = await operateImage(input, [[key, params]])
  const result = await framesOf(content)
  expect(facts.pages).toBe(COUNT)
  expect(result).toMatchObject({ delay, loop: 3 })
  expect(worstRatio(result.pixels, pixels)).toBeGreaterThan(ratio_min)
})

test('ignores the orientation of an animated WebP, and keeps transparency and duplicate frames', async () => {
  const [width, height] = [40, 20]
  const pixels = Buffer.alloc(width * height * 3 * 4)
  for (let at = 0; at < pixels.length; at += 4)
    if ((at / 4) % width < 20) pixels.set([200, at < width * height * 4 ? 40 : 160, 40, 255], at)
  const open = () =>
    sharp(pixels, { raw: { width, height: height * 3, channels: 4, pageHeight: height } }).withMetadata({
      orientation: 6,
    })
  const times = { delay: [70, 0, 50] }
  const gif = await open()
    .gif({ ...times, keepDuplicateFrames: true })
    .toBuffer()
  const webp = await open()
    .webp({ ...times, lossless: true })
    .toBuffer()
  for (const source of [gif, webp]) {
    const { content } = await operateImage(source, [['convert', { format: 'webp' }]])
    const result = await framesOf(content)
    const before = await framesOf(source)
    const shown_ms = (delay: number[]) => delay.reduce((sum, ms) => sum + (ms <= 10 ? 100 : ms), 0)
    expect(result.delay).toHaveLength(before.delay.length)
    expect(shown_ms(result.delay)).toBe(shown_ms(before.delay))
    const alphaAt = (x: number) => result.pixels[(5 * width + x) * 4 + 3]
    expect([alphaAt(5), alphaAt(35)]).toEqual([255, 0])
  }
})

test('compress leaves no streaks of a slow fade in a GIF', async () => {
  const input = await sharp(fade(), { raw }).gif({ delay }).toBuffer()
  const { content } = await operateImage(input, [['compress', { quality: 75 }]])
  const [before, after] = [await framesOf(input), await framesOf(content)]
  expect(after.delay).toEqual(before.delay)
  expect(worstRatio(after.pixels, before.pixels)).toBeGreaterThan(32)
  expect(content.length).toBeLessThan(input.length)
})

test.each(['gif', 'webp'] as const)(
  'a %s that becomes all black keeps its frames and their durations',
  async (format) => {
    const times = Array.from({ length: COUNT }, () => 50)
    const input = await smallFade(format, times)
    const { content } = await operateImage(input, [['enhance', { brightness: 0 }]])
    expect((await framesOf(content)).delay).toEqual((await framesOf(input)).delay)
  },
)

test.each([
  ['gif', ['enhance', { brightness: 2 }]],
  ['gif', ['compress', { quality: 50 }]],
  ['webp', ['transform', { flip: 'h' }]],
] as const)('a %s gets the frame durations that browsers use, with %j', async (format, [key, params]) => {
  const times = Array.from({ length: COUNT }, (_, index) => (index < 3 ? index * 10 : 20))
  const input = await smallFade(format, times)
  const { content } = await operateImage(input, [[key, params]])
  expect((await framesOf(content)).delay).toEqual(times.map((ms) => (ms <= 10 ? 100 : ms)))
})
