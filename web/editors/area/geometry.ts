export interface Size {
  width: number
  height: number
}

/** A rectangle within a picture, in its pixels. */
export interface Area extends Size {
  left: number
  top: number
}

export function isSameArea(one: Area, other: Area): boolean {
  const sides = ['left', 'top', 'width', 'height'] as const
  return sides.every((side) => one[side] === other[side])
}

/** An area of a picture in percent of its size, as the library for selections reports it. */
interface Part {
  x: number
  y: number
  width: number
  height: number
}

/** Errors of computing with fractions, in pixels. */
const TOLERANCE_PX = 0.01

/**
 * Returns an area in whole pixels, at least one wide and high, within the picture. An edge that lay on a whole pixel
 * stays there, so that moving the left edge does not move the right one.
 */
export function areaOf(part: Part, { width, height }: Size): Area {
  const across = wholeSpan((part.x / 100) * width, (part.width / 100) * width, width)
  const down = wholeSpan((part.y / 100) * height, (part.height / 100) * height, height)
  return { left: across.start, top: down.start, width: across.length, height: down.length }
}

function wholeSpan(start: number, length: number, whole: number): { start: number; length: number } {
  const rounded_length = clamp(Math.round(length), 1, whole)
  const end = start + length
  const endStays = Math.abs(end - Math.round(end)) < TOLERANCE_PX
  const rounded_start = endStays ? Math.round(end) - rounded_length : Math.round(start)
  return { start: clamp(rounded_start, 0, whole - rounded_length), length: rounded_length }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}

/** Parameters of a circle or square within a picture. */
export interface Zoomed {
  zoom: number
  offset_x: number
  offset_y: number
}

/** Returns the square that zoom and offsets select, as the service computes it. */
export function squareOf({ zoom, offset_x, offset_y }: Zoomed, { width, height }: Size): Area {
  const side = Math.max(1, Math.round(Math.min(width, height) / Math.max(1, zoom)))
  return {
    left: Math.round(((width - side) * (1 + offset_x)) / 2),
    top: Math.round(((height - side) * (1 + offset_y)) / 2),
    width: side,
    height: side,
  }
}

/** Returns the zoom and the offsets that select a square. */
export function zoomTo({ left, top, width: side }: Area, { width, height }: Size): Zoomed {
  const offset = (position: number, free: number) => (free === 0 ? 0 : rounded((2 * position) / free - 1))
  return {
    zoom: rounded(Math.min(width, height) / side),
    offset_x: offset(left, width - side),
    offset_y: offset(top, height - side),
  }
}

/** Returns the largest area of an aspect ratio. `shares` say which part of the free space lies before it. */
export function largestArea(aspect: number, size: Size, shares: { x: number; y: number }): Area {
  const { width, height } = size
  const cropped =
    width > height * aspect
      ? { width: Math.max(1, Math.round(height * aspect)), height }
      : { width, height: Math.max(1, Math.round(width / aspect)) }
  return {
    left: Math.round((width - cropped.width) * shares.x),
    top: Math.round((height - cropped.height) * shares.y),
    ...cropped,
  }
}

/** Returns the share of the free space before an area; 0.5 if there is none. */
export function shareOf(position: number, free: number): number {
  return free <= 0 ? 0.5 : rounded(position / free)
}

/** Precise to a pixel of any picture, and short to read. */
function rounded(value: number): number {
  const shortened = Math.round(value * 100_000) / 100_000
  return Object.is(shortened, -0) ? 0 : shortened
}
