import { z } from 'zod'

/** The nine positions in a frame, by row: top, middle, bottom. */
const PLACES = ['tl', 't', 'tr', 'l', 'c', 'r', 'bl', 'b', 'br'] as const
export type Place = (typeof PLACES)[number]

/** Aliases for the positions. */
const ALIASES = { tc: 't', cl: 'l', center: 'c', cr: 'r', bc: 'b' } as const satisfies Record<string, Place>

/** Parses a position, `tl` to `br`, including the aliases tc, cl, center, cr and bc. */
export const Position = z
  .enum([...PLACES, ...(Object.keys(ALIASES) as (keyof typeof ALIASES)[])])
  .transform((name): Place => (name in ALIASES ? ALIASES[name as keyof typeof ALIASES] : (name as Place)))

/** Returns the horizontal and vertical alignment of a position, each 0, 0.5 or 1. */
export function alignmentOf(place: Place): { x: number; y: number } {
  const index = PLACES.indexOf(place)
  return { x: (index % 3) / 2, y: Math.floor(index / 3) / 2 }
}

/** Returns the top-left corner of a box at a position, `margin` pixels from the edges. */
export function placeBox(
  place: Place,
  frame: { width: number; height: number },
  box: { width: number; height: number },
  margin: number,
): { x: number; y: number } {
  const share = alignmentOf(place)
  return {
    x: placeAlong(frame.width, box.width, margin, share.x),
    y: placeAlong(frame.height, box.height, margin, share.y),
  }
}

function placeAlong(length: number, size: number, margin: number, share: number): number {
  const space = Math.max(0, length - size)
  const edge = Math.min(margin, space / 2)
  return Math.round(edge + (space - 2 * edge) * share)
}
