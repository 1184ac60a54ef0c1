import { even } from '../filters.ts'

export interface Size {
  width: number
  height: number
}

/** Returns the largest even size of the same aspect ratio within the box, scaled by `share`. */
export function fitInside(frame: Size, box: Size, share = 1): Size {
  const scale = Math.min(box.width / frame.width, box.height / frame.height) * share
  return {
    width: Math.min(box.width, even(frame.width * scale)),
    height: Math.min(box.height, even(frame.height * scale)),
  }
}

const MIDDLE = { x: 0.5, y: 0.5 }

/**
 * Returns a crop to the aspect ratio of the box. It runs before scaling, because scaling a narrow strip to cover
 * the box would take hundreds of megapixels. `focus` (0 to 1) selects the part to keep. The crop uses fractions,
 * because decoded frames may differ from the display size.
 */
export function cropToShape(frame: Size, box: Size, focus = MIDDLE): string[] {
  const wider = (frame.width * box.height) / (frame.height * box.width)
  if (Math.abs(wider - 1) < 1e-6) return []
  const kept = (share: number) => Math.min(1, share).toFixed(6)
  const [width, height] = [`'max(2,iw*${kept(1 / wider)})'`, `'max(2,ih*${kept(wider)})'`]
  return [`crop=${width}:${height}:(iw-ow)*${focus.x}:(ih-oh)*${focus.y}`]
}

/** Scales to the inner size and pads with bars of this color (in ffmpeg's notation). */
export function padTo(size: Size, inner: Size, color: string): string[] {
  const at = (whole: number, part: number) => 2 * Math.floor((whole - part) / 4)
  const [x, y] = [at(size.width, inner.width), at(size.height, inner.height)]
  return [
    `scale=${inner.width}:${inner.height}`,
    'setsar=1',
    `pad=${size.width}:${size.height}:${x}:${y}:${color}`,
  ]
}

/** Crops and scales to fill the box (cropToShape). */
export function cropTo(size: Size, frame: Size, focus: { x: number; y: number }): string[] {
  return [...cropToShape(frame, size, focus), `scale=${size.width}:${size.height}`, 'setsar=1']
}
