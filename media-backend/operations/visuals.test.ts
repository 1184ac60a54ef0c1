import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Fleet } from '../fleet.ts'
import { makeClip, once, photo, turnClip, video } from '../testing/clips.ts'
import { startTestContext, type TestContext } from '../testing/context.ts'
import { describeImage, withFile } from '../testing/describe-image.ts'
import { countChanges, decodeFrame } from '../testing/frames.ts'
import { HEIC } from '../testing/heic-image.ts'
import { carryOut, inspect, packetHashes } from '../testing/operate.ts'

let context: TestContext
let fleet: Fleet

beforeAll(async () => {
  context = await startTestContext()
  fleet = await context.startFleet()
})
afterAll(() => context.close())

const FAST = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const gray = () =>
  makeClip('gray.mp4', ['-f', 'lavfi', '-i', 'color=0x404040:duration=0.5:size=640x360:rate=10', ...FAST])
/** Green on the left and blue on the right, in HD colors (BT.709). */
const halves = () =>
  makeClip('halves.mp4', [
    ...['-f', 'lavfi', '-i', 'color=0x00c000:duration=1.2:size=320x360:rate=10'],
    ...['-f', 'lavfi', '-i', 'color=0x0000c0:duration=1.2:size=320x360:rate=10'],
    ...['-filter_complex', 'hstack,scale=out_color_matrix=bt709', ...FAST],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
  ])
const turned = async () => turnClip(await halves())
const unmarked = once(async () => decodeFrame(await gray()))

async function run(operation_key: string, input: Buffer, spec: Partial<Dispatch>) {
  const dispatch = context.dispatch(input, {
    service_slug: 'video',
    operation_key,
    filename: 'clip.mp4',
    ...spec,
  })
  const { outcome } = await context.run(fleet.port, dispatch)
  if (outcome.status !== 'done')
    return { outcome, data: Buffer.alloc(0), body: {} as Record<string, unknown> }
  const data = context.storage.objects.get(outcome.files[0]?.key ?? '') ?? Buffer.alloc(0)
  return { outcome, data, body: outcome.body }
}

describe('gif', () => {
  test.each([
    { name: 'a small GIF', params: { duration: 1, fps: 10, width: 160 }, pages: 10, width: 160, height: 90 },
    {
      name: 'a GIF with more pixels than its palette is built from',
      params: { duration: 1, fps: 25, width: 1280 },
      pages: 25,
      width: 1280,
      height: 720,
    },
  ])('$name has the requested frames, size and frame rate', async ({ params, pages, width, height }) => {
    const { data, body } = await run('gif', await video(2), { params: { ...params, loops: 3 } })
    expect(body).toMatchObject({ encode_mode: 'encode', width, height, format: 'gif' })
    expect(body.duration_seconds).toBeCloseTo(params.duration, 1)
    const image = await describeImage(data)
    expect(image).toMatchObject({ format: 'gif', width, pages })
    expect((image.delay ?? []).reduce((sum, delay) => sum + delay, 0) / 1000).toBeCloseTo(params.duration, 1)
  })
})

describe('thumbnail', () => {
  test.each(['jpeg', 'png', 'webp'])('%s has the colors of the video', async (format) => {
    const { data } = await run('thumbnail', await halves(), { params: { format } })
    const frame = await decodeFrame(data)
    expect(frame).toMatchObject({ width: 640, height: 360 })
    for (const [x, color] of [
      [100, [0, 192, 0]],
      [540, [0, 0, 192]],
    ] as const) {
      const seen = frame.colorAt(x, 180)
      for (const index of [0, 1, 2])
        expect(Math.abs((seen[index] ?? 0) - (color[index] ?? 0))).toBeLessThan(12)
    }
  })
})

describe('extract_audio', () => {
  test('copies the packets of a track that already has the format', async () => {
    const input = await video(2)
    const { data, outcome, body } = await run('extract_audio', input, { params: { format: 'aac' } })
    expect(body).toMatchObject({ encode_mode: 'remux', format: 'm4a' })
    expect(outcome).toMatchObject({
      files: [{ filename: 'clip-extract_audio.m4a', content_type: 'audio/mp4' }],
    })
    const hashes = (file: Buffer) => withFile(file, (path) => packetHashes(path, 'a'))
    expect(await hashes(data)).toEqual(await hashes(input))
  })

  test('encodes any other track', async () => {
    const { data, body } = await run('extract_audio', await video(2), { params: {} })
    expect(body).toMatchObject({ encode_mode: 'encode', format: 'mp3' })
    const { streams, format } = await withFile(data, inspect)
    expect(streams).toMatchObject([{ codec_name: 'mp3', channels: 1 }])
    expect(Number(format.duration)).toBeCloseTo(2, 0)
  })

  test('fails with a message for a video without audio', async () => {
    const { outcome } = await run('extract_audio', await gray(), { params: {} })
    expect(outcome).toMatchObject({
      status: 'failed',
      error_code: 'parameter_refused',
      error: 'The video has no audio track to extract.',
    })
  })
})

describe('circle', () => {
  test('is a square of the requested duration, with audio', async () => {
    const { data, body } = await run('circle', await turned(), { params: { duration: 1, diameter: 240 } })
    expect(body).toMatchObject({ encode_mode: 'encode', width: 240, height: 240, format: 'mp4' })
    expect(Number(body.duration_seconds)).toBeCloseTo(1, 1)
    expect((await withFile(data, inspect)).streams[0]).toMatchObject({
      codec_name: 'h264',
      pix_fmt: 'yuv420p',
    })
    // The clip is rotated to portrait, so its right half (blue) is at the top.
    const frame = await decodeFrame(data)
    expect(frame.colorAt(120, 40)[2]).toBeGreaterThan(150)
    expect(frame.colorAt(120, 200)[1]).toBeGreaterThan(150)
  })

  test('shows its color outside the circle and the video inside', async () => {
    const { data } = await run('circle', await halves(), { params: { bg_color: '#ff0000', diameter: 200 } })
    const frame = await decodeFrame(data, 1)
    expect(frame.colorAt(5, 5)[0]).toBeGreaterThan(220)
    expect(frame.colorAt(30, 100)[1]).toBeGreaterThan(150)
    expect(frame.colorAt(170, 100)[2]).toBeGreaterThan(150)
  })
})

test('blur_bg shows the whole video, and fills the remaining space with a blurred copy', async () => {
  const { data, body } = await run('blur_bg', await halves(), { params: { aspect: '1:1', dim: 0.5 } })
  expect(body).toMatchObject({ encode_mode: 'encode', width: 640, height: 640 })
  const frame = await decodeFrame(data, 1)
  const [inside, above] = [frame.colorAt(50, 320), frame.colorAt(50, 40)]
  expect(inside[1]).toBeGreaterThan(170)
  expect(above[1]).toBeGreaterThan(60)
  expect(above[1]).toBeLessThan(130)
  // In the background, the hard edge between the halves is blurred.
  const soft = frame.colorAt(320, 40)
  expect(soft[1]).toBeGreaterThan(20)
  expect(soft[2]).toBeGreaterThan(20)
})

describe('watermark', () => {
  // Uses two characters per script, because a font that lacks them would draw the same box for both.
  const scripts = ['Ab', 'Жф', 'مس', 'नक', 'กจ', '你好', '한국', 'שא', 'ქრ', '★☺']
  test.each(scripts)('draws %s as two different characters, and only in their corner', async (characters) => {
    const before = await unmarked()
    const drawn = Array.from(characters, async (character) => {
      const params = { text: character.repeat(3), position: 'tr', opacity: 1 }
      const { path } = await carryOut(await gray(), ['watermark', params])
      return decodeFrame(await readFile(path))
    })
    const [one, other] = await Promise.all(drawn)
    if (one === undefined || other === undefined) throw new Error('two characters are expected')
    expect(countChanges(before, one, { left: 440, bottom: 130 })).toBeGreaterThan(150)
    expect(countChanges(before, one, { right: 440 })).toBe(0)
    expect(countChanges(before, one, { top: 130 })).toBe(0)
    expect(countChanges(one, other)).toBeGreaterThan(100)
  })

  test('draws text without interpreting it', async () => {
    const input = await gray()
    const drawn = async (text: string) =>
      decodeFrame((await run('watermark', input, { params: { text, position: 'c', size: 60 } })).data)
    const hostile = await drawn(
      "{\\pos(0,0)\\fs200}a',drawbox=c=red;[in]\\Nmovie=/etc/passwd\nDialogue: 0,0:0:0,9:0:0,x,,0,0,0,,EVIL",
    )
    const before = await unmarked()
    expect(countChanges(before, hostile)).toBeGreaterThan(200)
    expect(countChanges(before, hostile, { right: 110 })).toBe(0)
    expect(countChanges(before, hostile, { bottom: 60 })).toBe(0)
  })

  test('draws a logo at its position and opacity on every frame', async () => {
    const logo = await makeClip('logo.png', [
      ...['-f', 'lavfi', '-i', 'color=white:size=200x100', '-frames:v', '1', '-update', '1'],
    ])
    context.storage.objects.set('uploads/logo', logo)
    const { data } = await run('watermark', await gray(), {
      params: { logo_url: 'https://example.com/logo.png', position: 'bl', size: 25, opacity: 0.5, margin: 5 },
      assets: { '0-logo_url': { kind: 'object', key: 'uploads/logo' } },
    })
    for (const at of [0, 0.4]) {
      const frame = await decodeFrame(data, at)
      // The logo is 160 x 80 pixels, 32 pixels from the left and bottom edges: half-transparent white over 0x40.
      expect(frame.colorAt(112, 288)[0]).toBeGreaterThan(145)
      expect(frame.colorAt(112, 288)[0]).toBeLessThan(175)
      expect(frame.colorAt(20, 288)[0]).toBeLessThan(80)
      expect(frame.colorAt(112, 240)[0]).toBeLessThan(80)
    }
  })
})

test('draws a HEIC logo as displayed', async () => {
  context.storage.objects.set('uploads/heic-logo', HEIC)
  const { data, outcome } = await run('watermark', await gray(), {
    params: { logo_url: 'https://example.com/logo.heic', position: 'tl', size: 25, opacity: 1, margin: 0 },
    assets: { '0-logo_url': { kind: 'object', key: 'uploads/heic-logo' } },
  })
  expect(outcome).toMatchObject({ status: 'done' })
  const frame = await decodeFrame(data)
  // The logo is 160 x 160 pixels: red, with yellow to the right.
  const [red, yellow] = [frame.colorAt(40, 20), frame.colorAt(140, 20)]
  expect(red[0]).toBeGreaterThan(180)
  expect(red[1]).toBeLessThan(80)
  expect(yellow[0]).toBeGreaterThan(180)
  expect(yellow[1]).toBeGreaterThan(160)
  expect(frame.colorAt(180, 20)).toEqual(frame.colorAt(600, 300))
})

test('names the parameter of a truncated logo in the error', async () => {
  const logo = await photo(200, 200)
  context.storage.objects.set('uploads/half-logo', logo.subarray(0, logo.length / 2))
  const { outcome } = await run('watermark', await gray(), {
    params: { logo_url: 'https://example.com/logo.png' },
    assets: { '0-logo_url': { kind: 'object', key: 'uploads/half-logo' } },
  })
  expect(outcome).toMatchObject({
    status: 'failed',
    error_code: 'parameter_refused',
    error: expect.stringMatching(/^logo_url: .*truncated/),
  })
})

describe('cover', () => {
  test('has its size, title and shade', async () => {
    const { data, body } = await run('cover', await halves(), {
      params: { title: 'Title', subtitle: 'of two lines', format: 'png', smart: false },
    })
    expect(body).toMatchObject({ width: 1280, height: 720, format: 'png' })
    const frame = await decodeFrame(data)
    expect(frame.colorAt(640 - 200, 700)[1]).toBeLessThan(100)
    expect(frame.colorAt(640 - 200, 20)[1]).toBeGreaterThan(170)
    const plain = await decodeFrame(
      (await run('cover', await halves(), { params: { format: 'png', smart: false } })).data,
    )
    expect(plain.colorAt(640 - 200, 700)[1]).toBeGreaterThan(170)
  })

  test('is made even if no frame is distinctive', async () => {
    const { body } = await run('cover', await gray(), { params: { size: 'vertical', fit: 'blur' } })
    expect(body).toMatchObject({ width: 1080, height: 1920, format: 'jpeg' })
  })
})

test('a pipeline runs once, and each operation continues from the previous one', async () => {
  const input = await halves()
  const { data, body } = await run('circle', input, {
    params: { diameter: 200, duration: 1 },
    pipeline: [
      { operation_key: 'blur_bg', params: { aspect: '16:9', dim: 0 } },
      { operation_key: 'watermark', params: { text: 'One', position: 'tl', opacity: 1 } },
      { operation_key: 'watermark', params: { text: 'Two', position: 'br', opacity: 1 } },
      { operation_key: 'gif', params: { duration: 1, fps: 5 } },
    ],
  })
  expect(body).toMatchObject({ width: 356, height: 200, format: 'gif' })
  expect(await describeImage(data)).toMatchObject({ pages: 5 })
  const frame = await decodeFrame(data)
  const white = (left: number, top: number) => {
    let count = 0
    for (let y = top; y < top + 60; y += 1)
      for (let x = left; x < left + 90; x += 1) if (Math.min(...frame.colorAt(x, y)) > 180) count += 1
    return count
  }
  expect(white(0, 0)).toBeGreaterThan(40)
  expect(white(266, 140)).toBeGreaterThan(40)
  expect(white(266, 0)).toBe(0)
})
