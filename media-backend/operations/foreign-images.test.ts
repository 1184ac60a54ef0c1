import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Region } from 'sharp'
import { expect, test } from 'vitest'
import { withFile } from '../testing/describe-image.ts'
import {
  makeDeepTiff,
  makeDng,
  makeLabTiff,
  makeOldJpegTiff,
  makePlanarTiff,
  makeTiff,
  previewOf,
  sizeTags,
} from '../testing/foreign-images.ts'
import { operateImage } from '../testing/operate-image.ts'

const PNG: Parameters<typeof operateImage>[1] = [['convert', { format: 'png' }]]
const SIDE = 32

/** Reads the pixels of a result, with alpha. */
async function pixelsOf(content: Buffer): Promise<Buffer> {
  return withFile(content, (path) => sharp(path).ensureAlpha().raw().toBuffer())
}

async function meanOf(content: Buffer, area: Region): Promise<number[]> {
  const data = await withFile(content, (path) => sharp(path).removeAlpha().extract(area).raw().toBuffer())
  const channel = (at: number) => data.filter((_, index) => index % 3 === at)
  return [0, 1, 2].map((at) =>
    Math.round(channel(at).reduce((sum, level) => sum + level, 0) / (data.length / 3)),
  )
}

/** A picture with many colors and levels of transparency. */
function drawPicture(channels: 3 | 4): Promise<Buffer> {
  const data = Array.from({ length: SIDE * SIDE }, (_, at) =>
    [(at * 7) % 256, (at * 3) % 256, at % 256, 255 - (at % 128)].slice(0, channels),
  )
  return sharp(Buffer.from(data.flat()), { raw: { width: SIDE, height: SIDE, channels } })
    .png()
    .toBuffer()
}

/** Writes a PNG in another format with the encoder of a program. */
function encodeWith(program: string, png: Buffer, file: string, ...options: string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-foreign-'))
  try {
    writeFileSync(join(folder, 'drawn.png'), png)
    execFileSync(program, ['drawn.png', ...options, file], { cwd: folder, stdio: 'pipe' })
    return readFileSync(join(folder, file))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const opaque = () => drawPicture(3)
const translucent = () => drawPicture(4)

test.each([
  ['BMP', async () => encodeWith('convert', await opaque(), 'drawn.bmp'), opaque],
  ['ICO', async () => encodeWith('convert', await translucent(), 'drawn.ico'), translucent],
  ['PSD', async () => encodeWith('convert', await opaque(), 'drawn.psd'), opaque],
  [
    'lossless JPEG 2000',
    async () => encodeWith('convert', await opaque(), 'drawn.jp2', '-quality', '0'),
    opaque,
  ],
  [
    'lossless JPEG XL',
    async () => encodeWith('cjxl', await translucent(), 'drawn.jxl', '-d', '0'),
    translucent,
  ],
])('reads every pixel of a %s', async (_name, encode, drawn) => {
  const encoded = await encode()
  const { content } = await operateImage(encoded, PNG)
  const [read, expected] = [await pixelsOf(content), await pixelsOf(await drawn())]
  expect(read.length).toBe(expected.length)
  expect(read.equals(expected)).toBe(true)
})

test('reads the largest image of an icon', async () => {
  const icon = encodeWith('convert', await opaque(), 'drawn.ico', '-define', 'icon:auto-resize=16,32,24')
  expect((await operateImage(icon, PNG)).measured).toMatchObject({ width: SIDE, height: SIDE })
})

test.each([
  ['bmp', 'drawn.bmp', 'resized.png'],
  ['psd', 'drawn.psd', 'resized.jpg'],
])('an operation that keeps the format of a %s writes %s as %s', async (_format, file, name) => {
  const image = encodeWith('convert', await opaque(), file)
  expect((await operateImage(image, [['resize', { width: 16 }]])).file).toBe(name)
})

test('refuses to change only the metadata of a format that it cannot write', async () => {
  const image = encodeWith('convert', await opaque(), 'drawn.bmp')
  await expect(operateImage(image, [['strip_meta']])).rejects.toThrow('Convert the image first')
})

test('uses such an image as a logo', async () => {
  const logo = encodeWith('convert', await opaque(), 'drawn.bmp')
  const plain = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const { content } = await operateImage(plain, [['watermark', { logo_url: 'https://example.com/logo' }]], {
    logo,
  })
  expect((await withFile(content, (path) => sharp(path).stats())).isOpaque).toBe(true)
  expect((await pixelsOf(content)).equals(await pixelsOf(plain))).toBe(false)
})

test('develops a camera raw file instead of converting its thumbnail', async () => {
  const [width, height] = [128, 96]
  const { content, measured } = await operateImage(makeDng([width, height]), PNG)
  expect(measured).toMatchObject({ width, height })
  const inner = { top: 8, width: 40, height: 80 }
  const [red = 0, green = 0, blue = 0] = await meanOf(content, { left: 8, ...inner })
  expect(red).toBeGreaterThan(3 * Math.max(green, blue))
  const [r = 0, g = 0, b = 0] = await meanOf(content, { left: 80, ...inner })
  expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(12)
})

test('refuses a truncated camera raw file', async () => {
  const raw = makeDng([128, 96])
  const cut = Buffer.concat([raw.subarray(0, 8), raw.subarray(8, raw.length - 6000)])
  await expect(operateImage(cut, PNG)).rejects.toMatchObject({ error_code: 'input_unreadable' })
})

test('uses the full-size preview of a raw file that cannot be developed, and says so', async () => {
  const size = [128, 96] as const
  const raw = makeDng([...size], { 259: [3, [52_546]] }, [await previewOf(...size)])
  const { content, body } = await operateImage(raw, PNG)
  expect(body).toEqual({ from_preview: true })
  expect(await meanOf(content, { left: 80, top: 8, width: 40, height: 80 })).toEqual([50, 102, 204])
})

test('refuses a raw file that cannot be developed and has only a small preview', async () => {
  const raw = makeDng([128, 96], { 259: [3, [52_546]] }, [await previewOf(32, 24)])
  await expect(operateImage(raw, PNG)).rejects.toThrow('Camera Raw files are not supported')
})

test('reads a TIFF with 12 bits per channel', async () => {
  const levels = Array.from({ length: 64 }, (_, at) => at * 65)
  const { content } = await operateImage(makeDeepTiff(levels, 8), PNG)
  const data = await withFile(content, (path) =>
    sharp(path).toColorspace('grey16').raw({ depth: 'ushort' }).toBuffer(),
  )
  const read = Array.from(new Uint16Array(data.buffer, data.byteOffset, 64), (level) =>
    Math.round(level / 16.0039),
  )
  expect(read).toEqual(levels)
})

test('reads 32-bit integers, and refuses signed ones', async () => {
  const tags = { ...sizeTags(4, 4), 258: [3, [32]], 259: [3, [1]], 262: [3, [1]], 277: [3, [1]] } as const
  const data = Buffer.alloc(64, 0x50)
  const { content } = await operateImage(makeTiff({ tags: { ...tags, 339: [3, [1]] }, data }), PNG)
  expect(await meanOf(content, { left: 0, top: 0, width: 4, height: 4 })).toEqual([0x50, 0x50, 0x50])
  await expect(operateImage(makeTiff({ tags: { ...tags, 339: [3, [2]] }, data }), PNG)).rejects.toThrow(
    'signed integers',
  )
})

test('names a depth that it does not read', async () => {
  const tags = { ...sizeTags(4, 4), 258: [3, [24]], 259: [3, [1]], 262: [3, [1]], 277: [3, [1]] } as const
  await expect(operateImage(makeTiff({ tags, data: Buffer.alloc(48, 7) }), PNG)).rejects.toThrow(
    '24 bits per channel',
  )
})

test('reads a TIFF in CIELab', async () => {
  const { content } = await operateImage(makeLabTiff([53, 80, 67], 8), PNG)
  const [red = 0, green = 0, blue = 0] = await meanOf(content, { left: 0, top: 0, width: 8, height: 8 })
  expect(red).toBeGreaterThan(245)
  expect(Math.max(green, blue)).toBeLessThan(10)
})

test('reads a TIFF of tiles in separate planes', async () => {
  const planes = [200, 100, 50].map((level) => Buffer.alloc(256, level))
  const { content } = await operateImage(makePlanarTiff(planes, 16), PNG)
  expect(await meanOf(content, { left: 0, top: 0, width: 16, height: 16 })).toEqual([200, 100, 50])
})

test.each([false, true])('reads a TIFF that contains an old-style JPEG (tiled: %s)', async (is_tiled) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const drawn = sharp({ create: { width: 64, height: 64, channels: 3, background: '#000', noise } })
  const jpeg = await drawn.jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()
  const { content } = await operateImage(makeOldJpegTiff(jpeg, 64, is_tiled), PNG)
  const [read, expected] = [await pixelsOf(content), await pixelsOf(jpeg)]
  const errors = Array.from(expected, (level, at) => Math.abs(level - (read[at] ?? -1)))
  expect(Math.max(...errors)).toBeLessThanOrEqual(3)
})

test('refuses tiles that turn out to be blank', async () => {
  const size = { 256: [3, [512]], 257: [3, [512]], 322: [3, [512]], 323: [3, [512]] } as const
  const tags = { ...size, 258: [3, [8]], 259: [3, [5]], 262: [3, [1]], 277: [3, [1]] } as const
  const data = Buffer.alloc(8192, 0x80)
  await expect(operateImage(makeTiff({ tags, data, is_tiled: true }), PNG)).rejects.toMatchObject({
    error_code: 'input_unreadable',
  })
})
