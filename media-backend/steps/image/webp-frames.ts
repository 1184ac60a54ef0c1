import { fromRaw, type RawImage, type TimeLimit } from '../../runtime/sharp.ts'
import { joinWebpFrames, type WebpFrame } from './webp-container.ts'

/** An animation, decoded a few frames at a time. */
export interface Frames {
  count: number
  delay: readonly number[]
  loop: number
  /** Reads consecutive frames, stacked vertically, with transparency. */
  read(first: number, count: number): Promise<RawImage>
}

interface FramePixels {
  pixels: Uint32Array
  width: number
  height: number
}

type Area = Pick<WebpFrame, 'left' | 'top' | 'width' | 'height'>

/** Maximum pixels of the frames that are decoded at once. */
const READ_PIXELS_MAX = 32_000_000
/** Block size in WebP. Frame positions are multiples of it. */
const BLOCK = 16

/**
 * Encodes an animation as lossy WebP. libwebp's encoder compares a frame with the source of the previous one, so
 * small changes are never encoded and slow fades leave ghosts. This encoder compares a frame with what is
 * displayed.
 */
export async function encodeWebpFrames(
  frames: Frames,
  quality: number,
  limits: TimeLimit & { signal: AbortSignal },
): Promise<{ data: Buffer; info: { width: number; height: number; size: number } }> {
  const { width, height: strip_height, page_height } = await frames.read(0, 1)
  const height = page_height ?? strip_height
  const tolerance = toleranceOf(quality)
  const shown = new Uint32Array(width * height)
  const coded: WebpFrame[] = []
  const step = Math.max(1, Math.floor(READ_PIXELS_MAX / shown.length))
  for (let first = 0; first < frames.count; first += step) {
    const { data } = await frames.read(first, Math.min(step, frames.count - first))
    const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
    for (let at = 0; at < pixels.length; at += shown.length) {
      limits.signal.throwIfAborted()
      const frame = { pixels: pixels.subarray(at, at + shown.length), width, height }
      const area =
        coded.length === 0 ? { left: 0, top: 0, width, height } : changedArea(frame, shown, tolerance)
      const file = await fromRaw(showArea(frame, shown, area), limits)
        .webp({ quality })
        .toBuffer()
      coded.push({ ...area, file, duration_ms: frames.delay[coded.length] ?? 0 })
    }
  }
  const data = joinWebpFrames(coded, { width, height, loop: frames.loop })
  return { data, info: { width, height, size: data.length } }
}

/** Returns how much a channel may differ before its block is encoded again. Uses libwebp's rule: 5 at quality 75. */
function toleranceOf(quality: number): number {
  return Math.round(1 + 30 * (1 - Math.sqrt(quality / 100)))
}

/**
 * Returns the area whose blocks differ from what is displayed. If nothing differs, returns a single pixel to keep
 * the frame.
 */
function changedArea({ pixels, width, height }: FramePixels, shown: Uint32Array, tolerance: number): Area {
  let [left, right, top, bottom] = [width, 0, height, 0]
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (isSimilar(pixels[y * width + x] ?? 0, shown[y * width + x] ?? 0, tolerance)) continue
      const [block_x, block_y] = [x - (x % BLOCK), y - (y % BLOCK)]
      left = Math.min(left, block_x)
      right = Math.max(right, Math.min(width, block_x + BLOCK))
      top = Math.min(top, block_y)
      bottom = Math.max(bottom, Math.min(height, block_y + BLOCK))
    }
  }
  if (right === 0) return { left: 0, top: 0, width: 1, height: 1 }
  return { left, top, width: right - left, height: bottom - top }
}

/** Compares red, green, blue and alpha, one byte each. Alpha must be equal. */
function isSimilar(one: number, other: number, tolerance: number): boolean {
  if (one === other) return true
  if (one >>> 24 !== other >>> 24) return false
  for (let shift = 0; shift < 24; shift += 8)
    if (Math.abs(((one >>> shift) & 0xff) - ((other >>> shift) & 0xff)) > tolerance) return false
  return true
}

/** Copies part of a frame to the displayed image and returns the pixels of that part. */
function showArea({ pixels, width: stride }: FramePixels, shown: Uint32Array, area: Area): RawImage {
  const { left, top, width, height } = area
  const part = new Uint32Array(width * height)
  for (let y = 0; y < height; y += 1) {
    const from = (top + y) * stride + left
    const line = pixels.subarray(from, from + width)
    shown.set(line, from)
    part.set(line, y * width)
  }
  return { data: Buffer.from(part.buffer), width, height, channels: 4, page_height: null }
}
