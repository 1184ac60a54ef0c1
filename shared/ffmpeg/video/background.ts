import type { Pads } from '../edit.ts'
import { even } from '../filters.ts'
import { cropToShape, type Size } from './frame-size.ts'

/** A fragment that reads no files, so it can also draw on a single frame. */
export type Drawing = (pads: Pick<Pads, 'input' | 'output' | 'own'>) => string

/** Renders the background at a quarter of its size, for a sixteenth of the work. The blur hides the difference. */
const REDUCTION = 4

/** Places the fitted video in the center of a canvas filled with a cropped and blurred copy of it. */
export function blurredBackground(
  frame: Size,
  canvas: Size,
  fitted: Size,
  { blur, zoom, dim }: { blur: number; zoom: number; dim: number },
): Drawing {
  const small = { width: even(canvas.width / REDUCTION), height: even(canvas.height / REDUCTION) }
  const filled = { width: even(small.width * zoom), height: even(small.height * zoom) }
  const sigma = ((Math.min(small.width, small.height) * blur) / 500).toFixed(3)
  const background = [
    ...cropToShape(frame, small),
    `scale=${filled.width}:${filled.height}`,
    `crop=${small.width}:${small.height}`,
    'format=yuv420p',
    `gblur=sigma=${sigma}:steps=2`,
    ...(dim > 0 ? [`lutyuv=y=(val-16)*${(1 - dim).toFixed(3)}+16`] : []),
    `scale=${canvas.width}:${canvas.height}`,
    'setsar=1',
  ].join(',')
  // Even offsets keep chroma aligned with luma.
  const x = 2 * Math.floor((canvas.width - fitted.width) / 4)
  const y = 2 * Math.floor((canvas.height - fitted.height) / 4)
  return ({ input, output, own }) =>
    [
      `${input}split${own('behind')}${own('before')}`,
      `${own('behind')}${background}${own('background')}`,
      `${own('before')}scale=${fitted.width}:${fitted.height},setsar=1${own('fitted')}`,
      `${own('background')}${own('fitted')}overlay=x=${x}:y=${y}${output}`,
    ].join(';')
}
