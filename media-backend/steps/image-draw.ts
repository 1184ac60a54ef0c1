import type { Sharp } from 'sharp'
import type { ImageAction, ImageFormat, ImageStep } from '../../shared/operations/steps.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { applyStage } from './image-actions.ts'
import type { Picture } from './image-encode.ts'
import { type Layer, makeLayers } from './image-layers.ts'
import { groupStages, opensTransparency } from './image-stages.ts'
import { countFrames, fromRaw, openImage, type RawImage, toRaw } from './sharp.ts'

/** Formats that keep the frames of an animation; the others get its first. */
const ANIMATED: ReadonlySet<ImageFormat> = new Set(['webp', 'gif'])

/** Applies the actions of a step, up to the last of their sharp pipelines: the encoder runs with that one. */
export async function drawPicture(step: ImageStep, run: Run): Promise<Picture> {
  const { format } = step.output
  const path = fileIn(run.folder, step.input)
  const stages = groupStages(step.actions)
  const header = await openImage(path, run.environment).metadata()
  const animated = ANIMATED.has(format) && countFrames(header) > 1
  const open = () => openImage(path, run.environment, { animated })
  const layers = await makeLayers(step.actions, run)
  if (animated && !framesStayApart(stages)) {
    const { delay = [], loop = 0 } = await open().metadata()
    const frames = await drawFrames(open, stages, layers, run)
    return { open: () => fromRaw(frames, run.environment), animation: { delay, loop } }
  }
  const upright = () => (step.upright === true ? open() : open().autoOrient())
  return { open: await drawStages(upright, stages, layers, format, run), animation: null }
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

/** Decodes an animation once, draws each frame by itself, and puts them below each other again. */
async function drawFrames(
  open: () => Sharp,
  stages: readonly ImageAction[][],
  layers: ReadonlyMap<ImageAction, Layer>,
  run: Run,
): Promise<RawImage> {
  const before = await toRaw(open().ensureAlpha())
  const height = before.page_height ?? before.height
  const frame_bytes = before.width * height * before.channels
  const drawn: RawImage[] = []
  for (let start = 0; start < before.data.length; start += frame_bytes) {
    run.signal.throwIfAborted()
    const data = before.data.subarray(start, start + frame_bytes)
    const frame = { ...before, data, height, page_height: null }
    const picture = await drawStages(() => fromRaw(frame, run.environment), stages, layers, 'png', run)
    drawn.push(await toRaw(picture().ensureAlpha()))
  }
  return joinFrames(drawn)
}

function joinFrames(frames: readonly RawImage[]): RawImage {
  const [first] = frames
  if (first === undefined) throw new Error('an animation without frames')
  const { width, height, channels } = first
  const data = Buffer.concat(frames.map((frame) => frame.data))
  return { data, width, height: height * frames.length, channels, page_height: height }
}
