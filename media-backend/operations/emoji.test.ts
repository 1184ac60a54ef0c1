import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { decodeFrame } from '../testing/frames.ts'
import { carryOut } from '../testing/operate.ts'
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

test('draws a flag emoji on a video in color, also tiled', async () => {
  const clip = await makeClip('gray.mp4', [
    ...['-f', 'lavfi', '-i', 'color=gray:size=320x240:rate=10:duration=1'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
  ])
  for (const tiled of [false, true]) {
    const { path } = await carryOut(clip, ['watermark', { ...FLAG, size: tiled ? 30 : 60, tiled }])
    for (const at of [0, 0.5]) {
      const frame = await decodeFrame(await readFile(path), at)
      const pixels = Array.from({ length: 320 * 240 }, (_, index): Pixel => {
        const [red = 0, green = 0, blue = 0] = frame.colorAt(index % 320, Math.floor(index / 320))
        return [red, green, blue]
      })
      const { blue, yellow } = countColors(pixels)
      expect(blue).toBeGreaterThan(0.02)
      expect(yellow).toBeGreaterThan(0.02)
    }
  }
})
