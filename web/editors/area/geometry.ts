export interface Size {
  width: number
  height: number
}

/** A rectangle within a picture, in its pixels. */
export interface Area extends Size {
  left: number
  top: number
}

/** Sides that a handle moves: the right one of `e`, the bottom and left ones of `sw`. */
export type Corner = 'nw' | 'ne' | 'sw' | 'se'
export type Edge = 'n' | 'e' | 's' | 'w'
export type Grip = Corner | Edge

export interface AreaLimits {
  size: Size
  /** Width to height; null for any. */
  aspect: number | null
  /** Smallest width and height. */
  min: number
}

/** Moves an area within the picture. */
export function moveArea(area: Area, across: number, down: number, { size }: Pick<AreaLimits, 'size'>): Area {
  return {
    ...area,
    left: clamp(Math.round(area.left + across), 0, size.width - area.width),
    top: clamp(Math.round(area.top + down), 0, size.height - area.height),
  }
}

/** Moves the sides of a grip. The opposite sides stay, and so does the aspect ratio if there is one. */
export function resizeArea(area: Area, grip: Grip, across: number, down: number, limits: AreaLimits): Area {
  const { size, aspect, min } = limits
  const x = grip.includes('w') ? -1 : grip.includes('e') ? 1 : 0
  const y = grip.includes('n') ? -1 : grip.includes('s') ? 1 : 0
  const right = area.left + area.width
  const bottom = area.top + area.height
  const room = {
    width: x < 0 ? right : x > 0 ? size.width - area.left : area.width,
    height: y < 0 ? bottom : y > 0 ? size.height - area.top : area.height,
  }
  const wanted = { width: area.width + x * across, height: area.height + y * down }
  const { width, height } =
    aspect === null
      ? { width: limit(wanted.width, min, room.width), height: limit(wanted.height, min, room.height) }
      : limitAspect(wanted, area, room, aspect, min)
  return {
    left: x < 0 ? right - width : area.left,
    top: y < 0 ? bottom - height : area.top,
    width,
    height,
  }
}

/** Follows the direction in which the pointer moves further. */
function limitAspect(wanted: Size, area: Size, room: Size, aspect: number, min: number): Size {
  const by_width = Math.abs(wanted.width - area.width) >= Math.abs(wanted.height - area.height) * aspect
  const longest = Math.min(room.width, room.height * aspect)
  const width = limit(
    by_width ? wanted.width : wanted.height * aspect,
    Math.min(longest, min * Math.max(1, aspect)),
    longest,
  )
  return { width, height: Math.min(room.height, Math.max(1, Math.round(width / aspect))) }
}

function limit(value: number, min: number, max: number): number {
  return clamp(Math.round(value), Math.min(min, max), Math.floor(max))
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
