import { even } from '../filters.ts'

export interface Size {
  width: number
  height: number
}

/** The largest even size of the same aspect within the box. */
export function fitInside(picture: Size, box: Size): Size {
  const scale = Math.min(box.width / picture.width, box.height / picture.height)
  return {
    width: Math.min(box.width, even(picture.width * scale)),
    height: Math.min(box.height, even(picture.height * scale)),
  }
}

/** The smallest even size of the same aspect that covers the box. */
export function coverBox(picture: Size, box: Size): Size {
  const scale = Math.max(box.width / picture.width, box.height / picture.height)
  return {
    width: Math.max(box.width, even(picture.width * scale)),
    height: Math.max(box.height, even(picture.height * scale)),
  }
}

/** Scales to the inner size and lays bars of the colour (as ffmpeg takes it) around it. */
export function padTo(size: Size, inner: Size, color: string): string[] {
  const at = (whole: number, part: number) => 2 * Math.floor((whole - part) / 4)
  const [x, y] = [at(size.width, inner.width), at(size.height, inner.height)]
  return [
    `scale=${inner.width}:${inner.height}`,
    'setsar=1',
    `pad=${size.width}:${size.height}:${x}:${y}:${color}`,
  ]
}

/** Scales to the covering size and keeps the box; the focus, 0 to 1, says which part of what is too much. */
export function cropTo(size: Size, covering: Size, focus: { x: number; y: number }): string[] {
  const at = (whole: number, part: number, share: number) => Math.round((whole - part) * share)
  const x = at(covering.width, size.width, focus.x)
  const y = at(covering.height, size.height, focus.y)
  return [
    `scale=${covering.width}:${covering.height}`,
    'setsar=1',
    `crop=${size.width}:${size.height}:${x}:${y}`,
  ]
}
