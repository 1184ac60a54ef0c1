import type { RawImage } from '../../runtime/sharp.ts'
import type { Frames } from './webp-frames.ts'

/** Maximum total pixels of all frames, which are in memory at the same time. */
const PIXELS_MAX = 64_000_000

/**
 * Keeps each displayed pixel until the source differs from it by more than `error_max`, which gives frames more
 * pixels in common. The encoder's built-in option compares with the source of the previous frame, so slow fades
 * leave streaks.
 * @returns null if the frames are too large in total.
 */
export async function holdPixels(frames: Frames, error_max: number): Promise<RawImage | null> {
  const first = await frames.read(0, 1)
  const frame_pixels = first.data.length / 4
  if (frame_pixels * frames.count > PIXELS_MAX) return null
  const strip = await frames.read(0, frames.count)
  const data = Buffer.from(strip.data)
  for (let at = 4 * frame_pixels; at < data.length; at += 4) {
    const before = at - 4 * frame_pixels
    if (data[at + 3] !== data[before + 3]) continue
    if (squaredDistance(data, at, before) <= error_max ** 2) data.copyWithin(at, before, before + 4)
  }
  return { ...strip, data }
}

function squaredDistance(data: Buffer, one: number, other: number): number {
  let sum = 0
  for (let channel = 0; channel < 3; channel += 1)
    sum += ((data[one + channel] ?? 0) - (data[other + channel] ?? 0)) ** 2
  return sum
}
