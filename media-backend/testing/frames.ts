import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { withFile } from './describe-image.ts'

const run = promisify(execFile)

/** A decoded frame. Colors are [red, green, blue]. */
export interface Frame {
  width: number
  height: number
  colorAt(x: number, y: number): [number, number, number]
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

/** Decodes an image, or one frame of a video, as players display it. */
export function decodeFrame(data: Buffer, at_seconds = 0): Promise<Frame> {
  return withFile(data, async (path) => {
    // Starting ffmpeg costs more than all the rest.
    if (data.subarray(0, PNG.length).equals(PNG)) return decodePng(path)
    const shown = [
      '-i',
      path,
      '-frames:v',
      '1',
      '-vf',
      'format=rgb24',
      '-f',
      'image2pipe',
      '-c:v',
      'ppm',
      '-',
    ]
    const { stdout } = await run('ffmpeg', ['-v', 'error', '-ss', String(at_seconds), ...shown], {
      encoding: 'buffer',
      maxBuffer: 64 * 1024 * 1024,
    })
    const header = /^P6\s(\d+)\s(\d+)\s\d+\s/.exec(stdout.subarray(0, 32).toString('latin1'))
    if (header === null) throw new Error('there is no frame')
    const [width, height] = [Number(header[1]), Number(header[2])]
    return frameOf(stdout.subarray(header[0].length), width, height)
  })
}

async function decodePng(path: string): Promise<Frame> {
  const { data, info } = await sharp(path)
    .removeAlpha()
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return frameOf(data, info.width, info.height)
}

/** @param pixels red, green and blue of each pixel, in rows. */
function frameOf(pixels: Buffer, width: number, height: number): Frame {
  return {
    width,
    height,
    colorAt(x, y) {
      const start = 3 * (Math.round(y) * width + Math.round(x))
      return [pixels[start] ?? 0, pixels[start + 1] ?? 0, pixels[start + 2] ?? 0]
    },
  }
}

/** Counts the clearly different pixels in the same area of two frames of equal size. */
export function countChanges(
  one: Frame,
  other: Frame,
  { left = 0, top = 0, right = one.width, bottom = one.height } = {},
): number {
  let count = 0
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const [first, second] = [one.colorAt(x, y), other.colorAt(x, y)]
      if (first.some((value, index) => Math.abs(value - (second[index] ?? 0)) > 60)) count += 1
    }
  }
  return count
}
