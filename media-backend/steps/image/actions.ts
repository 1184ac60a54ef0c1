import type { Sharp } from 'sharp'
import type { ImageAction } from '../../../shared/planning/steps.ts'
import type { Layer } from './layer-bitmap.ts'

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }
/** Minimum sigma that sharp accepts. Smaller values have no visible effect. */
const BLUR_MIN = 0.3
const MIDDLE = 127.5

/** Applies actions to a sharp pipeline. `layers` holds the layers of the actions that need one. */
export function applyStage(
  image: Sharp,
  actions: readonly ImageAction[],
  layers: ReadonlyMap<ImageAction, Layer>,
): Sharp {
  const composed = actions.flatMap((action) => layers.get(action) ?? [])
  const done = actions.reduce(apply, image)
  if (composed.length === 0) return done
  return done.composite(
    composed.map(({ data, width, height, place, blend }) => ({
      input: data,
      raw: { width, height, channels: 4 },
      blend,
      ...(place === 'tiled' ? { tile: true, gravity: 'northwest' } : { left: place.x, top: place.y }),
    })),
  )
}

function apply(image: Sharp, action: ImageAction): Sharp {
  switch (action.action) {
    case 'resize': {
      const { width, height, fit, background = null, keep = 'centre' } = action
      const size = { width: width ?? undefined, height: height ?? undefined }
      // sharp flattens before it resizes, so transparent parts also show the background.
      const opaque = background === null ? image : image.flatten({ background })
      return opaque.resize({ ...size, fit, position: keep, background: background ?? TRANSPARENT })
    }
    case 'crop': {
      const { left, top, width, height } = action
      return image.extract({ left, top, width, height })
    }
    case 'flip':
      return action.axis === 'h' ? image.flop() : image.flip()
    case 'rotate':
      // sharp rotates clockwise.
      return image.rotate(360 - action.degrees, { background: action.background ?? TRANSPARENT })
    case 'blur':
      return image.blur(Math.max(BLUR_MIN, action.radius))
    case 'sharpness':
      return image.convolve(sharpnessKernel(action.factor))
    case 'color':
      return changeColor(image, action)
    case 'autocontrast':
      return image.normalise()
    case 'circle':
    case 'overlay':
      return image
  }
}

/** Changes colors as CSS filters do: contrast is relative to middle gray, and saturation preserves luminance. */
function changeColor(
  image: Sharp,
  { brightness, contrast, saturation }: Extract<ImageAction, { action: 'color' }>,
): Sharp {
  // In 16 bits, middle gray has a different value, and sharp loses an alpha channel that a resize or blur
  // premultiplied.
  const narrow = image.pipelineColorspace('srgb')
  const saturated = saturation === 1 ? narrow : narrow.recomb(saturationMatrix(saturation))
  if (brightness === 1 && contrast === 1) return saturated
  return saturated.linear(brightness * contrast, MIDDLE * (1 - contrast))
}

type Row = [number, number, number]

function saturationMatrix(saturation: number): [Row, Row, Row] {
  const [red, green, blue]: Row = [0.2126, 0.7152, 0.0722]
  const gray = 1 - saturation
  return [
    [red * gray + saturation, green * gray, blue * gray],
    [red * gray, green * gray + saturation, blue * gray],
    [red * gray, green * gray, blue * gray + saturation],
  ]
}

const SOFT = [1, 4, 6, 4, 1]
const SOFT_SUM = 256

/** Interpolates from the blurred image (0) through the original (1) to the sharpened image. */
function sharpnessKernel(factor: number) {
  const soft = SOFT.flatMap((row) => SOFT.map((column) => row * column))
  const middle = (soft.length - 1) / 2
  const kernel = soft.map(
    (weight, index) => weight * (1 - factor) + (index === middle ? SOFT_SUM * factor : 0),
  )
  return { width: SOFT.length, height: SOFT.length, kernel, scale: SOFT_SUM }
}

/** Checks whether an action draws a background color. */
export function fillsBackground(action: ImageAction): boolean {
  return (action.action === 'resize' || action.action === 'rotate') && (action.background ?? null) !== null
}
