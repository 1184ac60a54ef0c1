import type { Sharp } from 'sharp'
import type { ImageAction, OverlayAction } from '../../../shared/planning/steps.ts'
import { placeBox } from '../../../shared/text/positions.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { fromRaw, type Limits, limitsOf, openImage, type RawImage, toRaw } from '../../runtime/sharp.ts'
import { circleMask } from './circle.ts'
import type { Layer } from './layer-bitmap.ts'
import { renderText } from './text.ts'

const SLANT_DEGREES = -30

/** Makes a layer for each action that needs one. sharp applies the other actions directly. */
export async function makeLayers(
  actions: readonly ImageAction[],
  run: Run,
): Promise<ReadonlyMap<ImageAction, Layer>> {
  const layers = new Map<ImageAction, Layer>()
  for (const action of actions) {
    run.signal.throwIfAborted()
    if (action.action === 'circle') layers.set(action, circleMask(action))
    if (action.action === 'overlay') layers.set(action, await makeOverlay(action, run))
  }
  return layers
}

async function makeOverlay(action: OverlayAction, run: Run): Promise<Layer> {
  const { content, canvas, width, tiled, place, margin } = action
  // The margin also applies to a mark as tall as the image.
  const height = Math.max(canvas.height - 2 * margin, Math.ceil(canvas.height / 5))
  const box = { width, height }
  const mark =
    content.kind === 'text'
      ? await renderText({ ...content, ...box }, limitsOf(run))
      : await renderLogo(openImage(fileIn(run.folder, content.file), limitsOf(run)), box)
  fade(mark.data, action.opacity)
  if (!tiled) return { ...mark, place: placeBox(place, canvas, mark, margin), blend: 'over' }
  const cell = await makeCell(mark, content.kind === 'text' ? SLANT_DEGREES : 0, canvas, limitsOf(run))
  return { ...cell, place: 'tiled', blend: 'over' }
}

function renderLogo(logo: Sharp, box: { width: number; height: number }): Promise<RawImage> {
  return toRaw(
    logo
      .autoOrient()
      .resize({ ...box, fit: 'inside' })
      .ensureAlpha(),
  )
}

function fade(pixels: Buffer, opacity: number): void {
  for (let index = 3; index < pixels.length; index += 4)
    pixels[index] = Math.round((pixels[index] ?? 0) * opacity)
}

/** Makes one tile of a pattern: a mark with space around it, no larger than the image. */
async function makeCell(
  mark: RawImage,
  degrees: number,
  canvas: { width: number; height: number },
  limits: Limits,
): Promise<RawImage> {
  const background = { r: 0, g: 0, b: 0, alpha: 0 }
  const slanted = degrees === 0 ? mark : await toRaw(fromRaw(mark, limits).rotate(degrees, { background }))
  const gap = Math.round(mark.width / 4)
  const room = { top: gap, bottom: gap, left: gap, right: gap, background }
  const cell = await toRaw(fromRaw(slanted, limits).extend(room))
  if (cell.width <= canvas.width && cell.height <= canvas.height) return cell
  return toRaw(fromRaw(cell, limits).resize({ ...canvas, fit: 'inside' }))
}
