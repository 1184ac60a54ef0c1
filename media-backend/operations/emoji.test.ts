/** @module-tag extended */

import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { decodeFrame } from '../testing/frames.ts'
import { carryOut, inspect } from '../testing/operate.ts'
import { operateImage } from '../testing/operate-image.ts'

type Pixel = readonly [number, number, number]
const isBlue = ([red, , blue]: Pixel) => blue > red + 60
const isYellow = ([red, green, blue]: Pixel) => Math.min(red, green) > blue + 60

/** Returns the fractions of blue and yellow pixels. */
function countColors(pixels: readonly Pixel[]) {
  const fraction = (is: (pixel: Pixel) => boolean) => pixels.filter(is).length / pixels.length
  return { blue: fraction(isBlue), yellow: fraction(isYellow) }
}

const FLAG = { text: '🇺🇦', size: 60, position: 'c', opacity: 1 } as const

test('draws a flag emoji on an image in color', async () => {
  const gray = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#808080' } })
    .png()
    .toBuffer()
  const { content } = await operateImage(gray, [['watermark', FLAG]])
  const { data } = await withFile(content, (path) =>
    sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true }),
  )
  const pixels = Array.from({ length: data.length / 3 }, (_, index): Pixel => {
    const [red = 0, green = 0, blue = 0] = data.subarray(index * 3, index * 3 + 3)
    return [red, green, blue]
  })
  const { blue, yellow } = countColors(pixels)
  expect(blue).toBeGreaterThan(0.05)
  expect(yellow).toBeGreaterThan(0.05)
})

test('draws a family emoji as a single glyph', async () => {
  const gray = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#808080' } })
    .png()
    .toBuffer()
  const widthOf = async (text: string) => {
    const { content } = await operateImage(gray, [
      ['watermark', { text, size: 90, position: 'c', opacity: 1 }],
    ])
    const { info } = await withFile(content, (path) =>
      sharp(path).trim({ threshold: 40 }).raw().toBuffer({ resolveWithObject: true }),
    )
    return info.width / info.height
  }
  // A single emoji is about as tall as it is wide; four in a row are not.
  expect(await widthOf('👨‍👩‍👧‍👦')).toBeLessThan(1.6)
  expect(await widthOf('👨👩👧👦')).toBeGreaterThan(2.5)
})

const grayClip = () =>
  makeClip('gray.mp4', [
    ...['-f', 'lavfi', '-i', 'color=gray:size=320x240:rate=10:duration=1'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
  ])

/** Returns the fractions of blue and yellow pixels in a frame of 320x240. */
async function colorsAt(path: string, at: number) {
  const frame = await decodeFrame(await readFile(path), at)
  return countColors(
    Array.from({ length: 320 * 240 }, (_, index) => frame.colorAt(index % 320, Math.floor(index / 320))),
  )
}

test.each([false, true])('draws a flag emoji on a video in color, tiled: %s', async (tiled) => {
  const { path } = await carryOut(await grayClip(), ['watermark', { ...FLAG, size: tiled ? 30 : 60, tiled }])
  for (const at of [0, 0.5]) {
    const { blue, yellow } = await colorsAt(path, at)
    expect(blue).toBeGreaterThan(0.02)
    expect(yellow).toBeGreaterThan(0.02)
  }
})

const SUBTITLES = `1
00:00:00,200 --> 00:00:00,600
Flag 🇺🇦 here
`

test.each(['clean', 'boxed', 'karaoke'])('burns a flag emoji into %s subtitles in color', async (style) => {
  const params = { subtitles_text: SUBTITLES, style, font_size: 20 }
  const { path } = await carryOut(await grayClip(), ['subtitles', params])
  for (const at of [0.2, 0.5]) {
    const { blue, yellow } = await colorsAt(path, at)
    expect(blue).toBeGreaterThan(0.004)
    expect(yellow).toBeGreaterThan(0.004)
  }
  for (const at of [0.1, 0.6, 0.9]) expect(await colorsAt(path, at)).toEqual({ blue: 0, yellow: 0 })
})

test.each([
  ['karaoke', '3.0', 'Flag 🇺🇦'],
  ['clean', '9.0', 'Flag 🇺🇦'],
  ['karaoke', '3.0', 'Flag'],
])('adds no frame where a %s subtitle ends at %s seconds: %s', async (style, end, text) => {
  const clip = await makeClip('90-frames.mp4', [
    ...['-f', 'lavfi', '-i', 'color=gray:size=64x64:rate=30:duration=3'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
  ])
  const subtitles_text = `00:00:00 --> 00:00:${end}\n${text}`
  const { path } = await carryOut(clip, ['subtitles', { subtitles_text, style }])
  expect((await inspect(path)).streams[0]?.nb_frames).toBe('90')
})

test('draws emoji after other operations of a pipeline', async () => {
  const params = { subtitles_text: SUBTITLES, style: 'clean', font_size: 20 }
  const { path } = await carryOut(await grayClip(), ['trim', { start: 0.3 }], ['subtitles', params])
  expect((await colorsAt(path, 0.1)).blue).toBe(0)
  expect((await colorsAt(path, 0.3)).blue).toBeGreaterThan(0.004)
})

test('draws a flag emoji on a cover in color', async () => {
  const params = { at: 0, title: 'To 🇺🇦', size: 'original', text_size: 30, shade: 'none', format: 'png' }
  const { path } = await carryOut(await grayClip(), ['cover', params])
  const { blue, yellow } = await colorsAt(path, 0)
  expect(blue).toBeGreaterThan(0.01)
  expect(yellow).toBeGreaterThan(0.01)
})

test('keeps the order of emoji and text', async () => {
  const params = { at: 0, title: '🟥 l 🟦', size: 'original', text_size: 20, shade: 'none', position: 'c' }
  const { path } = await carryOut(await grayClip(), ['cover', { ...params, format: 'png' }])
  const frame = await decodeFrame(await readFile(path))
  const columnsOf = (is: (pixel: Pixel) => boolean) =>
    Array.from({ length: 320 }, (_, x) => x).filter((x) =>
      Array.from({ length: 240 }, (_, y) => frame.colorAt(x, y)).some(is),
    )
  const [red, blue] = [columnsOf(([r, , b]) => r > b + 80), columnsOf(([r, , b]) => b > r + 80)]
  expect(red.length).toBeGreaterThan(20)
  expect(Math.max(...red)).toBeLessThan(Math.min(...blue))
})

test('draws emoji in the same color on SD and HD video, which use different matrices', async () => {
  const redOn = async (size: string) => {
    const clip = await makeClip(`gray-${size}.mp4`, [
      ...['-f', 'lavfi', '-i', `color=gray:size=${size}:rate=10:duration=0.2`],
      ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
    ])
    const params = { text: '🟥', size: 30, position: 'c', opacity: 1 }
    const { path } = await carryOut(clip, ['watermark', params], ['thumbnail', { at: 0, format: 'png' }])
    const frame = await decodeFrame(await readFile(path))
    return frame.colorAt(frame.width / 2, frame.height / 2)
  }
  const [sd, hd] = [await redOn('640x360'), await redOn('1280x720')]
  for (const [channel, level] of sd.entries()) expect(Math.abs(level - (hd[channel] ?? 0))).toBeLessThan(6)
})

test.each(['{', '}', '\\', '&', '<', '\u2039'])('draws %s in a keycap as text', async (character) => {
  const params = {
    subtitles_text: SUBTITLES.replace('🇺🇦', `${character}\u20e3`),
    style: 'clean',
    font_size: 20,
  }
  const { path } = await carryOut(await grayClip(), ['subtitles', params])
  const frame = await decodeFrame(await readFile(path), 0.3)
  expect(frame.width).toBe(320)
})
