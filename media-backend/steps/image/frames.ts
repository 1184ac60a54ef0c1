import type { Sharp } from 'sharp'
import type { ImageAction } from '../../../shared/planning/steps.ts'
import type { Environment } from '../../environment.ts'
import { failWith } from '../../runtime/failure.ts'
import type { Run } from '../../runtime/run.ts'
import { fromRaw, limitsOf, type RawImage, toRaw } from '../../runtime/sharp.ts'
import { drawStages, type Manner } from './draw-stages.ts'
import type { Layer } from './layer-bitmap.ts'

/**
 * Decodes an animation once, draws each frame separately, and stacks the frames again.
 * @throws JobFailure if drawing takes too long or the frames become too large in total.
 */
export async function drawFrames(
  open: () => Sharp,
  stages: readonly ImageAction[][],
  layers: ReadonlyMap<ImageAction, Layer>,
  run: Run,
): Promise<RawImage> {
  const before = await toRaw(open().ensureAlpha())
  const height = before.page_height ?? before.height
  const frame_bytes = before.width * height * before.channels
  const count = before.data.length / frame_bytes
  let drawn: RawImage | null = null
  for (let index = 0; index < count; index += 1) {
    run.signal.throwIfAborted()
    const data = before.data.subarray(index * frame_bytes, (index + 1) * frame_bytes)
    const frame = { ...before, data, height, page_height: null }
    const manner: Manner = { format: 'png', space: 'srgb', passage: 'memory', is_opaque: false }
    const image = await drawStages(() => fromRaw(frame, limitsOf(run)), stages, layers, manner, run)
    const done = await toRaw(image().ensureAlpha())
    drawn ??= roomFor(done, count, run.environment)
    done.data.copy(drawn.data, index * done.data.length)
  }
  if (drawn === null) throw new Error('an animation without frames')
  return drawn
}

/** Allocates a buffer for `count` stacked frames of this size. */
function roomFor({ width, height, channels, data }: RawImage, count: number, limits: Environment): RawImage {
  checkSize({ width, height: height * count }, limits)
  const room = Buffer.alloc(data.length * count)
  return { data: room, width, height: height * count, channels, page_height: height }
}

/**
 * Limits the total size of all frames.
 * @throws JobFailure if they are too large to be drawn one by one.
 */
export function checkSize({ width, height }: { width: number; height: number }, limits: Environment): void {
  if (width * height <= limits.ANIMATION_PIXELS_MAX) return
  const megapixels = Math.floor(limits.ANIMATION_PIXELS_MAX / 1_000_000)
  throw failWith('animation_too_large', { megapixels })
}
