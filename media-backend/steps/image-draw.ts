import type { Metadata, Sharp } from 'sharp'
import { holdsFrames } from '../../shared/operations/image/formats.ts'
import type { ImageAction, ImageFormat, ImageStep } from '../../shared/operations/steps.ts'
import type { Environment } from '../environment.ts'
import { JobFailure } from '../failure.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { applyStage } from './image-actions.ts'
import type { Picture } from './image-encode.ts'
import { type Layer, makeLayers } from './image-layers.ts'
import { groupStages, opensTransparency } from './image-stages.ts'
import { countFrames, fromRaw, openImage, outOfTime, type RawImage, toRaw } from './sharp.ts'

/** Applies the actions of a step, up to the last of their sharp pipelines: the encoder runs with that one. */
export async function drawPicture(step: ImageStep, run: Run): Promise<Picture> {
  const { format } = step.output
  const path = fileIn(run.folder, step.input)
  const header = await openImage(path, run.environment).metadata()
  const stages = [...groupStages(step.actions), ...(keepsTurn(step, header) ? [[]] : [])]
  const animated = holdsFrames(format) && countFrames(header) > 1
  const open = () => openImage(path, run.environment, { animated })
  const layers = await makeLayers(step.actions, run)
  if (animated && !framesStayApart(stages)) {
    const { delay = [], loop = 0 } = await open().metadata()
    const { width, height, pageHeight = height } = header
    checkSize({ width, height: pageHeight * countFrames(header) }, run.environment)
    const frames = await drawFrames(open, stages, layers, run)
    return { open: () => fromRaw(frames, run.environment), animation: { delay, loop } }
  }
  const upright = () => (step.upright === true ? open() : open().autoOrient())
  return { open: await drawStages(upright, stages, layers, format, run), animation: null }
}

/**
 * An AVIF is turned by the orientation that its source tells of, also where the pixels stand upright without
 * it: a stage of its own passes on the pixels alone.
 */
function keepsTurn({ upright, output }: ImageStep, { orientation = 1 }: Metadata): boolean {
  return upright === true && output.format === 'avif' && orientation > 1
}

/** sharp crops and resizes all frames at once; it would run anything else over their edges. */
function framesStayApart(stages: readonly ImageAction[][]): boolean {
  return stages.length === 1 && stages.flat().every(({ action }) => action === 'crop' || action === 'resize')
}

async function drawStages(
  open: () => Sharp,
  stages: readonly ImageAction[][],
  layers: ReadonlyMap<ImageAction, Layer>,
  format: ImageFormat,
  { environment, signal }: Pick<Run, 'environment' | 'signal'>,
): Promise<() => Sharp> {
  const flattened = format === 'jpeg'
  // sharp fills what shows through first of all; what the last stage opens needs one of its own.
  const all = flattened && opensTransparency(stages) ? [...stages, []] : stages
  let next = open
  for (const [index, stage] of all.entries()) {
    signal.throwIfAborted()
    const from = next
    const apply = () => applyStage(from(), stage, layers)
    if (index === all.length - 1) next = flattened ? () => apply().flatten({ background: '#ffffff' }) : apply
    else {
      const raw = await toRaw(apply())
      next = () => fromRaw(raw, environment)
    }
  }
  return next
}

/**
 * Decodes an animation once, draws each frame by itself, and puts them below each other again.
 * @throws JobFailure where all frames together take too long, or become too large.
 */
async function drawFrames(
  open: () => Sharp,
  stages: readonly ImageAction[][],
  layers: ReadonlyMap<ImageAction, Layer>,
  run: Run,
): Promise<RawImage> {
  const deadline_ms = performance.now() + run.environment.IMAGE_SECONDS_MAX * 1000
  const before = await toRaw(open().ensureAlpha())
  const height = before.page_height ?? before.height
  const frame_bytes = before.width * height * before.channels
  const count = before.data.length / frame_bytes
  let drawn: RawImage | null = null
  for (let index = 0; index < count; index += 1) {
    run.signal.throwIfAborted()
    if (performance.now() > deadline_ms) throw outOfTime()
    const data = before.data.subarray(index * frame_bytes, (index + 1) * frame_bytes)
    const frame = { ...before, data, height, page_height: null }
    const picture = await drawStages(() => fromRaw(frame, run.environment), stages, layers, 'png', run)
    const done = await toRaw(picture().ensureAlpha())
    drawn ??= roomFor(done, count, run.environment)
    done.data.copy(drawn.data, index * done.data.length)
  }
  if (drawn === null) throw new Error('an animation without frames')
  return drawn
}

/** Room for as many frames of this size, one below the other. */
function roomFor({ width, height, channels, data }: RawImage, count: number, limits: Environment): RawImage {
  checkSize({ width, height: height * count }, limits)
  const room = Buffer.alloc(data.length * count)
  return { data: room, width, height: height * count, channels, page_height: height }
}

function checkSize({ width, height }: { width: number; height: number }, limits: Environment): void {
  if (width * height <= limits.ANIMATION_PIXELS_MAX) return
  const megapixels = Math.floor(limits.ANIMATION_PIXELS_MAX / 1_000_000)
  throw new JobFailure(
    'input_too_large',
    `The animation is too large to be drawn frame by frame: its frames may have ${megapixels} megapixels together.`,
  )
}
