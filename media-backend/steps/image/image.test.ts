import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ImageOutput, ImageStep } from '../../../shared/planning/steps.ts'
import type { Environment } from '../../environment.ts'
import { imageFacts } from '../../probe/image/image.ts'
import { WorkStopped } from '../../runtime/failure.ts'
import { fromRaw, toRaw } from '../../runtime/sharp.ts'
import { startWaits } from '../../runtime/waits.ts'
import { photo } from '../../testing/clips.ts'
import { LONE_ENVIRONMENT as environment } from '../../testing/environment.ts'
import { drawImage } from './draw-image.ts'
import { runImage } from './image.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-image-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs a step on an input. Returns the path of the result, its metadata and its measurements. */
async function make(
  input: Sharp | Buffer,
  output: Partial<ImageOutput>,
  actions: ImageStep['actions'] = [],
  limits: Partial<Environment> = {},
) {
  const source = join(folder, 'source')
  await (Buffer.isBuffer(input) ? writeFile(source, input) : input.toFile(source))
  const requested: ImageOutput = { file: 'out', format: 'jpeg', quality: null, max_bytes: null, ...output }
  const step: ImageStep = { kind: 'image', input: 'source', actions, output: requested }
  const measured = await runImage(step, {
    folder,
    environment: { ...environment, ...limits },
    signal: new AbortController().signal,
  })
  const path = join(folder, 'out')
  return { measured, path, metadata: (await sharp(path).metadata()) as Metadata }
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })

test('applies the EXIF orientation before all other changes', async () => {
  const turned = plain(60, 40).withMetadata({ orientation: 6 }).jpeg()
  const { measured, metadata } = await make(turned, {}, [
    { action: 'resize', width: 20, height: null, fit: 'inside' },
  ])
  expect(measured).toEqual({ width: 20, height: 30 })
  expect(metadata.orientation).toBeUndefined()
  expect(await imageFacts(join(folder, 'source'), environment)).toMatchObject({
    width: 40,
    height: 60,
    pages: 1,
  })
})

/** Makes an animation of small frames that differ, because GIF merges identical ones. */
async function animation(frames: number): Promise<Buffer> {
  const strip = await plain(64, 64 * frames)
    .raw()
    .toBuffer()
  for (let at = 0; at < strip.length; at += 3) strip[at] = (Math.floor(at / (64 * 64 * 3)) * 101) % 256
  return sharp(strip, { raw: { width: 64, height: 64 * frames, channels: 3, pageHeight: 64 } })
    .gif()
    .toBuffer()
}

test.each([
  ['an animation', 'gif', null, () => animation(200)],
  ['a search for the best quality', 'jpeg', 1, () => photo()],
] as const)('stops %s when the work is no longer wanted', async (_name, format, max_bytes, input) => {
  await writeFile(join(folder, 'source'), await input())
  const output: ImageOutput = { file: 'out', format, quality: null, max_bytes }
  const actions: ImageStep['actions'] = [{ action: 'blur', radius: 1 }]
  const step: ImageStep = { kind: 'image', input: 'source', actions, output }
  const stopped = new WorkStopped('cancelled')
  const controller = new AbortController()
  const check = vi.spyOn(controller.signal, 'throwIfAborted')
  // The signal aborts at the third check.
  check.mockImplementation(() => {
    if (check.mock.calls.length >= 3) controller.abort(stopped)
    if (controller.signal.aborted) throw stopped
  })
  await expect(runImage(step, { folder, environment, signal: controller.signal })).rejects.toBe(stopped)
  expect(existsSync(join(folder, 'out'))).toBe(false)
})

test.each([
  ['has', 'blur', 200, { ANIMATION_PIXELS_MAX: 800_000 }],
  ['gets', 'resize', 200, { ANIMATION_PIXELS_MAX: 1_000_000 }],
] as const)(
  'refuses to draw an animation frame by frame if it %s too many pixels: %s',
  async (_has, action, frames, limits) => {
    const actions: ImageStep['actions'] = [
      { action: 'blur', radius: 1 },
      ...(action === 'resize' ? ([{ action, width: 96, height: 96, fit: 'fill' }] as const) : []),
    ]
    const start_ms = performance.now()
    await expect(make(await animation(frames), { format: 'gif' }, actions, limits)).rejects.toMatchObject({
      error_code: 'input_too_large',
      message: expect.stringMatching(/^All frames of the animation/),
    })
    expect(performance.now() - start_ms).toBeLessThan(2000)
  },
)

test('all frames of an animation share one time limit', async () => {
  const actions: ImageStep['actions'] = [
    { action: 'resize', width: 400, height: 400, fit: 'fill' },
    { action: 'blur', radius: 60 },
  ]
  await expect(
    make(await animation(250), { format: 'gif' }, actions, { IMAGE_SECONDS_MAX: 1 }),
  ).rejects.toMatchObject({ error_code: 'time_limit' })
})

test('limits the processing time of decoded pixels', async () => {
  const [width, height] = [6000, 6000]
  const pixels = {
    data: Buffer.alloc(width * height * 3),
    width,
    height,
    channels: 3,
    page_height: null,
  } as const
  await expect(toRaw(fromRaw(pixels, { IMAGE_SECONDS_MAX: 1 }).median(51))).rejects.toThrow(/timeout/i)
})

test('fills transparency with white in a JPEG', async () => {
  const clear = sharp({
    create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
  const { path } = await make(clear.png(), {})
  const { dominant } = await sharp(path).stats()
  expect(Math.min(dominant.r, dominant.g, dominant.b)).toBeGreaterThan(240)
})

test('converts CMYK to sRGB, and 16 bits to 8 by default', async () => {
  const cmyk = await make(plain(8, 8).toColorspace('cmyk').jpeg(), { format: 'png' })
  expect(cmyk.metadata).toMatchObject({ space: 'srgb', depth: 'uchar' })
  const deep = await make(plain(8, 8).toColorspace('rgb16').png(), { format: 'png' })
  expect(deep.metadata).toMatchObject({ space: 'srgb', depth: 'uchar' })
})

test.each(['webp', 'gif'] as const)(
  '%s keeps all frames of an animation, JPEG the first one',
  async (format) => {
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((background) =>
        sharp({ create: { width: 10, height: 6, channels: 3, background } })
          .raw()
          .toBuffer(),
      ),
    )
    const raw = { width: 10, height: 18, channels: 3, pageHeight: 6 } as const
    const animation = () => sharp(Buffer.concat(frames), { raw }).gif()
    const kept = await make(animation(), { format })
    expect(kept.metadata.pages).toBe(3)
    expect(kept.measured).toEqual({ width: 10, height: 6 })
    expect(await imageFacts(join(folder, 'source'), environment)).toMatchObject({
      width: 10,
      height: 6,
      pages: 3,
    })
    expect((await make(animation(), { format: 'jpeg' })).measured).toEqual({ width: 10, height: 6 })
  },
)

test.each(['jpeg', 'webp', 'avif'] as const)(
  '%s: finds the best quality within max_bytes',
  async (format) => {
    const input = await photo(200, 150)
    const free = await make(input, { format })
    const bytes_max = Math.floor((await stat(free.path)).size * 0.6)
    const { measured, path, metadata } = await make(input, { format, max_bytes: bytes_max })
    expect((await stat(path)).size).toBeLessThanOrEqual(bytes_max)
    expect(metadata).toMatchObject({ width: 200, height: 150 })
    const quality = Number(measured.quality)
    await make(input, { format, quality: quality + 1 })
    expect((await stat(path)).size).toBeGreaterThan(bytes_max)
  },
)

test('uses the best palette for a PNG with a size limit', async () => {
  const { measured, path, metadata } = await make(await photo(200, 150), { format: 'png', max_bytes: 40_000 })
  expect(measured.quality).toBeGreaterThanOrEqual(99)
  expect(metadata.isPalette).toBe(true)
  expect((await stat(path)).size).toBeLessThanOrEqual(40_000)
})

test('saves memory: no optimized tables in a large JPEG, 4:2:0 chroma in a large AVIF', async () => {
  const input = await photo(200, 150)
  const [own, common] = [await make(input, {}), await make(input, { file: 'common', saves_memory: true })]
  const path = join(folder, 'common')
  expect((await stat(path)).size).toBeGreaterThan((await stat(own.path)).size)
  expect(await sharp(path).raw().toBuffer()).toEqual(await sharp(own.path).raw().toBuffer())
  expect(common.measured).toEqual(own.measured)
  const halved = async (output: Partial<ImageOutput>) =>
    hasHalvedColors(await readFile((await make(input, { format: 'avif', ...output })).path))
  expect([await halved({}), await halved({ saves_memory: true })]).toEqual([false, true])
})

/** Checks for chroma subsampling in two bits of the AV1 configuration. */
function hasHalvedColors(avif: Buffer): boolean {
  const flags = avif[avif.indexOf('av1C') + 6] ?? 0
  return (flags & 0b1100) === 0b1100
}

/** Mocks a clock that advances by this many seconds on each read. */
function mockFastClock(seconds: number) {
  let now_ms = 0
  return vi.spyOn(performance, 'now').mockImplementation(() => {
    now_ms += seconds * 1000
    return now_ms
  })
}

test('all pipelines of an image share one time limit', async () => {
  const turns = Array.from(
    { length: 8 },
    () => ({ action: 'rotate', degrees: 90, background: null }) as const,
  )
  const clock = mockFastClock(4)
  try {
    const limits = { IMAGE_SECONDS_MAX: 20 }
    expect((await make(await photo(), {}, turns.slice(0, 2), limits)).metadata.format).toBe('jpeg')
    await expect(make(await photo(), {}, turns, limits)).rejects.toMatchObject({ error_code: 'time_limit' })
  } finally {
    clock.mockRestore()
  }
})

test('returns the best result of a search that runs out of time, or fails if there is none', async () => {
  const input = await photo(200, 150)
  const { path } = await make(input, { format: 'webp' })
  const bytes_max = Math.floor((await stat(path)).size * 0.6)
  const unlimited = await make(input, { format: 'webp', max_bytes: bytes_max })
  const outcomes = new Set<string>()
  const clock = mockFastClock(1)
  try {
    for (let seconds = 1; seconds <= 16; seconds += 1) {
      const limits = { IMAGE_SECONDS_MAX: seconds }
      const limited = await make(input, { format: 'webp', max_bytes: bytes_max }, [], limits).catch(
        ({ error_code }) => error_code as string,
      )
      if (typeof limited === 'string') outcomes.add(limited)
      else {
        expect((await stat(limited.path)).size).toBeLessThanOrEqual(bytes_max)
        const is_best = limited.measured.quality === unlimited.measured.quality
        outcomes.add(is_best ? 'best' : 'good')
      }
    }
    expect(outcomes).toEqual(new Set(['time_limit', 'good', 'best']))
    const kept = await make(input, { format: 'png', quality: 100, never_larger: true })
    expect(kept.metadata.format).toBe('png')
  } finally {
    clock.mockRestore()
  }
})

test('refuses an unreachable size, naming its parameter', async () => {
  const refusal = { error_code: 'parameter_refused', message: expect.stringMatching(/^max_kb: /) }
  await expect(make(await photo(), { max_bytes: 1024 })).rejects.toMatchObject(refusal)
})

test('reports the wait for memory that another image occupies', async () => {
  await plain(3000, 2000).png().toFile(join(folder, 'source'))
  const draw = async (file: string) => {
    const output: ImageOutput = { file, format: 'webp', quality: null, max_bytes: null }
    const waits = startWaits()
    const start_ms = performance.now()
    await drawImage(
      { kind: 'image', input: 'source', actions: [], output },
      {
        folder,
        environment: { ...environment, IMAGE_MEMORY_BYTES_MAX: 1 },
        signal: new AbortController().signal,
        waits,
      },
    )
    return { waited_seconds: waits.seconds(), seconds: (performance.now() - start_ms) / 1000 }
  }
  // The first images also wait for their processes to start.
  await Promise.all([draw('one'), draw('other')])
  const drawn = await Promise.all([draw('one'), draw('other')])
  const [first, second] = drawn.sort((one, other) => one.seconds - other.seconds)
  expect(second?.waited_seconds).toBeGreaterThan((first?.seconds ?? 0) / 2)
  expect(first?.waited_seconds).toBeLessThan((first?.seconds ?? 0) / 2)
})
