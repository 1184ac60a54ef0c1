import sharp from 'sharp'
import { expect, test } from 'vitest'
import { withFile } from '../testing/describe-image.ts'
import { HEIC } from '../testing/heic-image.ts'
import { type ImageSpec, operateImage } from '../testing/operate-image.ts'

type Pixel = [number, number, number, number]

/** Makes an image with four colored quarters: red and green at the top, blue and white at the bottom. */
function quarters(side = 80) {
  const pixels = Buffer.alloc(side * side * 3)
  const colors = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
  ]
  for (let index = 0; index < side * side; index += 1) {
    const quarter = (index % side < side / 2 ? 0 : 1) + (index < (side * side) / 2 ? 0 : 2)
    pixels.set(colors[quarter] ?? [], index * 3)
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
}

/** Returns the colors at positions given as fractions of width and height. */
function pixelsAt(content: Buffer, ...places: [number, number][]): Promise<Pixel[]> {
  return withFile(content, async (path) => {
    const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    return places.map(([x, y]) => {
      const start =
        (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * info.channels
      return [...data.subarray(start, start + 4)] as Pixel
    })
  })
}

function isNear(one: readonly number[], other: readonly number[], by = 12): boolean {
  return one.every((value, index) => Math.abs(value - (other[index] ?? 0)) <= by)
}

const RED = [255, 0, 0, 255]
const GREEN = [0, 255, 0, 255]
const BLUE = [0, 0, 255, 255]
const WHITE = [255, 255, 255, 255]
const CLEAR = [0, 0, 0, 0]
const CORNERS: [number, number][] = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
]

const geometry: [ImageSpec[], number[][]][] = [
  [[['transform', { rotate: 90 }]], [GREEN, WHITE, RED, BLUE]],
  [[['transform', { rotate: 270 }]], [BLUE, RED, WHITE, GREEN]],
  [[['transform', { flip: 'h' }]], [GREEN, RED, WHITE, BLUE]],
  [[['transform', { flip: 'v' }]], [BLUE, WHITE, RED, GREEN]],
  [[['transform', { rotate: 90, flip: 'h' }]], [RED, BLUE, GREEN, WHITE]],
  [
    [
      ['resize', { width: 40 }],
      ['transform', { rotate: 180 }],
    ],
    [WHITE, BLUE, GREEN, RED],
  ],
  [
    [
      ['transform', { rotate: 90 }],
      ['resize', { width: 30, height: 16, resize_mode: 'exact' }],
    ],
    [GREEN, WHITE, RED, BLUE],
  ],
  [
    [
      ['crop', { crop_aspect: '21:9', gravity: 'top' }],
      ['transform', { flip: 'v' }],
    ],
    [RED, GREEN, RED, GREEN],
  ],
  [
    [['social', { width: 40, height: 160, resize_mode: 'fit', bg_color: '#0f0' }]],
    [GREEN, GREEN, GREEN, GREEN],
  ],
]

test.each(geometry)('%j places the four quarters as expected', async ([first, ...others], colors) => {
  if (first === undefined) throw new Error('no operation')
  const { content } = await operateImage(await quarters().png().toBuffer(), [first, ...others])
  const seen = await pixelsAt(content, ...CORNERS)
  for (const [index, color] of colors.entries())
    expect(seen[index]).toSatisfy((one: Pixel) => isNear(one, color))
})

test('rotation by any angle has the planned size, with transparent corners in PNG and white ones in JPEG', async () => {
  for (const rotate of [1, 30, 89, 200]) {
    const png = await operateImage(await quarters(60).png().toBuffer(), [['transform', { rotate }], ['crop']])
    expect(png.facts).toMatchObject({ format: 'png', has_alpha: true })
  }
  const slanted = await quarters().png().toBuffer()
  const [clear] = await pixelsAt(
    (await operateImage(slanted, [['transform', { rotate: 45 }]])).content,
    [0, 0],
  )
  const jpeg: ImageSpec = ['convert', { format: 'jpeg' }]
  const flat = await operateImage(slanted, [['transform', { rotate: 45 }], jpeg])
  const [white] = await pixelsAt(flat.content, [0, 0])
  expect([clear, white]).toEqual([CLEAR, WHITE])
})

test('a circle has transparent corners in a PNG, colored ones on request, and white ones in a JPEG', async () => {
  const input = await quarters().jpeg({ quality: 95 }).toBuffer()
  const clear = await operateImage(input, [['circle', { diameter: 64 }]])
  expect(clear.facts).toMatchObject({ format: 'png', width: 64, height: 64 })
  const [corner, inside] = await pixelsAt(clear.content, [0, 0], [0.3, 0.3])
  expect(corner?.[3]).toBe(0)
  expect(inside).toSatisfy((pixel: Pixel) => isNear(pixel, RED))
  const colored = await operateImage(input, [['circle', { bg_color: 'blue' }]])
  expect(colored.facts.format).toBe('jpeg')
  expect((await pixelsAt(colored.content, [0, 0]))[0]).toSatisfy((pixel: Pixel) => isNear(pixel, BLUE))
  const flat = await operateImage(input, [['circle'], ['convert', { format: 'jpeg' }]])
  expect((await pixelsAt(flat.content, [0, 0]))[0]).toSatisfy((pixel: Pixel) => isNear(pixel, WHITE, 30))
})

const plain = (background: string) => sharp({ create: { width: 32, height: 32, channels: 3, background } })

test.each([
  [{ brightness: 1.5 }, '#404060', [96, 96, 144, 255]],
  [{ brightness: 0 }, '#404060', [0, 0, 0, 255]],
  [{ contrast: 2 }, '#a06080', [192, 64, 128, 255]],
  [{ contrast: 0 }, '#a06080', [128, 128, 128, 255]],
  [{ grayscale: true }, '#ff0000', [54, 54, 54, 255]],
  [{ saturation: 2 }, '#a06060', [210, 82, 82, 255]],
  [{ sharpness: 4, blur: 1 }, '#a06080', [160, 96, 128, 255]],
])('enhance %j of %s', async (params, color, expected) => {
  const inputs = [plain(color), plain(color).toColorspace('rgb16')]
  for (const input of inputs) {
    const { content } = await operateImage(await input.png().toBuffer(), [['enhance', params]])
    expect((await pixelsAt(content, [0.5, 0.5]))[0]).toSatisfy((pixel: Pixel) => isNear(pixel, expected, 3))
  }
})

test('autocontrast reaches black and white; sharpness steepens edges, blur and softness flatten them', async () => {
  const ramp = Buffer.from(Array.from({ length: 64 * 8 }, (_, index) => 100 + (index % 64)))
  const input = await sharp(ramp, { raw: { width: 64, height: 8, channels: 1 } })
    .png()
    .toBuffer()
  const stretched = await operateImage(input, [['enhance', { autocontrast: true }]])
  const [dark, light] = await pixelsAt(stretched.content, [0, 0.5], [1, 0.5])
  expect([dark?.[0], light?.[0]]).toSatisfy(([low, high]) => low < 8 && high > 247)
  const edge = await quarters().modulate({ brightness: 0.5 }).png().toBuffer()
  const besideEdge = async (params: Record<string, unknown>) => {
    const { content } = await operateImage(edge, [['enhance', params]])
    return (await pixelsAt(content, [0.49, 0.1]))[0]?.[0] ?? 0
  }
  const [sharper, same, softer, blurred] = await Promise.all(
    [{ sharpness: 4 }, { sharpness: 1.001 }, { sharpness: 0 }, { blur: 5 }].map(besideEdge),
  )
  expect(sharper).toBeGreaterThan(same ?? 0)
  expect(softer).toBeLessThan(same ?? 0)
  expect(blurred).toBeLessThan(softer ?? 0)
})

test('draws text at its position, in its color, without interpreting markup', async () => {
  const base = await plain('#000000').resize(400, 200).png().toBuffer()
  const texts = ['<span size="1">&', '© Ünï', 'مرحبا', 'नमस्ते', '你好\nПривет', 'x'.repeat(300)]
  for (const text of texts) {
    const params = { text, position: 'br', size: 40, color: '#ffff00', opacity: 1, margin: 2 }
    const { content } = await operateImage(base, [['watermark', params]])
    const { dominant, area } = await withFile(content, async (path) => {
      const trimmed = await sharp(path)
        .removeAlpha()
        .trim({ background: '#000000', threshold: 60 })
        .toBuffer({ resolveWithObject: true })
      const { trimOffsetLeft: left = 0, trimOffsetTop: top = 0, width, height } = trimmed.info
      const maxima = (await sharp(path).stats()).channels.map(({ max }) => max)
      return { dominant: maxima, area: { left: -left, top: -top, right: width - left, bottom: height - top } }
    })
    expect(dominant.slice(0, 2)).toEqual([255, 255])
    expect(dominant[2]).toBeLessThan(130)
    expect(area.left).toBeGreaterThan(200)
    expect(area.right).toBeLessThanOrEqual(393)
    expect(area.bottom).toBeLessThanOrEqual(193)
    expect(area.bottom).toBeGreaterThan(150)
  }
})

test('scales a logo to its fraction of the width, and draws it at its position and opacity', async () => {
  const base = await plain('#000000').resize(400, 200).png().toBuffer()
  const logo = await plain('#ff0000').png().toBuffer()
  const params = {
    logo_url: 'https://example.org/logo.png',
    position: 'tl',
    size: 10,
    margin: 0,
    opacity: 0.5,
  }
  const { content } = await operateImage(base, [['watermark', params]], { logo })
  const [inside, edge, beyond] = await pixelsAt(content, [0, 0], [0.09, 0.15], [0.12, 0.1])
  expect(inside).toSatisfy((pixel: Pixel) => isNear(pixel, [128, 0, 0, 255], 2))
  expect(edge).toEqual(inside)
  expect(beyond).toEqual([0, 0, 0, 255])
  const tiled = await operateImage(base, [['watermark', { ...params, tiled: true }]], { logo })
  const rows = await withFile(tiled.content, (path) => sharp(path).stats())
  expect(rows.channels[0]?.mean).toBeGreaterThan(15)
})

test('draws a HEIC logo as displayed, without rotating it twice', async () => {
  const base = await plain('#000000').resize(100, 100).png().toBuffer()
  const params = { logo_url: 'https://example.org/logo', position: 'tl', size: 100, margin: 0, opacity: 1 }
  const { content } = await operateImage(base, [['watermark', params]], { logo: HEIC })
  const [red, yellow] = await pixelsAt(content, [0.2, 0.2], [0.8, 0.2])
  expect(red).toSatisfy((pixel: Pixel) => isNear(pixel, [230, 20, 30, 255], 40))
  expect(yellow).toSatisfy((pixel: Pixel) => isNear(pixel, [230, 200, 30, 255], 40))
})

test('keeps an opaque image opaque under a watermark', async () => {
  const base = await plain('#000000').resize(200, 100).png().toBuffer()
  const turned: ImageSpec = ['transform', { rotate: 180 }]
  for (const others of [[], [turned]]) {
    const { facts } = await operateImage(base, [['watermark', { text: 'x' }], ...others])
    expect(facts).toMatchObject({ format: 'png', has_alpha: false })
  }
})

test('social fits the whole image onto its background, including transparent parts', async () => {
  const clear = sharp({
    create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
  const params = { width: 40, height: 80, resize_mode: 'fit', bg_color: '#ff0000' }
  for (const input of [clear.clone().png(), clear.clone().webp({ lossless: true })]) {
    const { content, facts } = await operateImage(await input.toBuffer(), [['social', params]])
    expect(facts.has_alpha).toBe(false)
    for (const pixel of await pixelsAt(content, [0.5, 0.05], [0.5, 0.5]))
      expect(pixel).toSatisfy((one: Pixel) => isNear(one, RED))
  }
})

/** Makes an animation with three frames, each in a single color. */
async function animation(): Promise<Buffer> {
  const colors = ['#ff0000', '#00ff00', '#0000ff']
  const frames = await Promise.all(
    colors.map((background) => plain(background).resize(40, 30).raw().toBuffer()),
  )
  const raw = { width: 40, height: 90, channels: 3, pageHeight: 30 } as const
  return sharp(Buffer.concat(frames), { raw })
    .gif({ delay: [100, 200, 300], loop: 2 })
    .toBuffer()
}

test.each<[ImageSpec[], { width: number; height: number }]>([
  [[['resize', { width: 20 }]], { width: 20, height: 15 }],
  [[['crop'], ['resize', { width: 16 }]], { width: 16, height: 16 }],
  [[['transform', { rotate: 90 }]], { width: 30, height: 40 }],
  [[['transform', { flip: 'v' }]], { width: 40, height: 30 }],
  [[['circle', { diameter: 20 }]], { width: 20, height: 20 }],
  [
    [
      ['enhance', { blur: 2 }],
      ['convert', { format: 'webp' }],
    ],
    { width: 40, height: 30 },
  ],
  [
    [
      ['watermark', { text: 'x' }],
      ['transform', { rotate: 20 }],
    ],
    { width: 48, height: 42 },
  ],
  [[['strip_meta']], { width: 40, height: 30 }],
])('%j applies to every frame and keeps the frame durations', async ([first, ...others], size) => {
  if (first === undefined) throw new Error('no operation')
  const { content, facts } = await operateImage(await animation(), [first, ...others])
  expect(facts).toMatchObject({ ...size, pages: 3 })
  await withFile(content, async (path) => {
    const { delay, loop } = await sharp(path).metadata()
    expect({ delay, loop }).toEqual({ delay: [100, 200, 300], loop: 2 })
    for (const page of [0, 1, 2]) {
      const { channels } = await sharp(path, { page }).stats()
      const means = channels.slice(0, 3).map(({ mean }) => mean)
      expect(means.indexOf(Math.max(...means))).toBe(page)
    }
  })
})

/** Makes a blue bar that moves across a transparent background. All frames share one palette. */
function movingBar(): Promise<Buffer> {
  const pixels = Buffer.alloc(40 * 90 * 4)
  for (let index = 0; index < 40 * 90; index += 1) {
    const [column, frame] = [index % 40, Math.floor(index / (40 * 30))]
    if (Math.floor(column / 10) === frame) pixels.writeUInt32BE(0x0000ffff, index * 4)
  }
  const raw = { width: 40, height: 90, channels: 4, pageHeight: 30 } as const
  return sharp(pixels, { raw }).gif().toBuffer()
}

test('gives an animation a background color that is not in its palette', async () => {
  const params = { width: 40, height: 80, resize_mode: 'fit', bg_color: '#ffff00' }
  const { content, facts } = await operateImage(await movingBar(), [['social', params]])
  expect(facts).toMatchObject({ format: 'gif', pages: 3 })
  const [bar] = await pixelsAt(content, [0.5, 0.05])
  expect(bar).toSatisfy((pixel: Pixel) => isNear(pixel, [255, 255, 0, 255]))
})

test.each(['avif', 'jpeg', 'png'])('an animation converted to %s is its first frame', async (format) => {
  const { content, facts } = await operateImage(await animation(), [['convert', { format }]])
  expect(facts).toMatchObject({ format, width: 40, height: 30, pages: 1 })
  const [corner, end] = await pixelsAt(content, [0.1, 0.1], [0.9, 0.9])
  expect(corner).toSatisfy((pixel: Pixel) => isNear(pixel, [255, 0, 0, 255], 6))
  expect(end).toSatisfy((pixel: Pixel) => isNear(pixel, [255, 0, 0, 255], 6))
})

test('every operation reads HEIC upright, and metadata changes do not re-encode it', async () => {
  const { facts, content } = await operateImage(HEIC, [['resize', { width: 32 }]])
  expect(facts).toMatchObject({ format: 'jpeg', width: 32, height: 32 })
  const [red, yellow] = await pixelsAt(content, [0.2, 0.2], [0.8, 0.2])
  expect(red).toSatisfy((pixel: Pixel) => isNear(pixel, [230, 20, 30, 255], 40))
  expect(yellow).toSatisfy((pixel: Pixel) => isNear(pixel, [230, 200, 30, 255], 40))
  expect((await operateImage(HEIC, [['strip_meta']])).facts.format).toBe('heic')
  await expect(operateImage(HEIC.subarray(0, 600), [['resize', { width: 32 }]])).rejects.toMatchObject({
    error_code: 'input_unreadable',
  })
})

test.each([
  ['convert', { format: 'jpeg' }],
  ['convert', { format: 'webp' }],
  ['convert', { format: 'png' }],
  ['convert', { format: 'avif' }],
  ['resize', { width: 32 }],
  ['compress', { format: 'avif', max_kb: 2 }],
] satisfies ImageSpec[])('HEIC stays upright with %s %j', async (...spec) => {
  const { content } = await operateImage(HEIC, [spec])
  const [red, yellow] = await pixelsAt(content, [0.2, 0.2], [0.8, 0.2])
  expect(red).toSatisfy((pixel: Pixel) => isNear(pixel, [230, 20, 30, 255], 40))
  expect(yellow).toSatisfy((pixel: Pixel) => isNear(pixel, [230, 200, 30, 255], 40))
})

test('converts a wide gamut to sRGB without changing the displayed color', async () => {
  const wide = await plain('#00ff00').withIccProfile('p3').png().toBuffer()
  const made = await operateImage(wide, [['convert', { format: 'png' }]])
  expect((await pixelsAt(made.content, [0.5, 0.5]))[0]).toSatisfy((pixel: Pixel) => isNear(pixel, GREEN, 6))
})
