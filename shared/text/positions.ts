import { z } from 'zod'

/** The nine places of a picture: top, middle and bottom by left, middle and right. */
const PLACES = ['tl', 't', 'tr', 'l', 'c', 'r', 'bl', 'b', 'br'] as const
export type Place = (typeof PLACES)[number]

/** Other names of the same places. */
const ALIASES = { tc: 't', cl: 'l', center: 'c', cr: 'r', bc: 'b' } as const satisfies Record<string, Place>

/** A place by its name, `tl` to `br`; tc, cl, center, cr and bc are taken for the ones in the middle. */
export const Position = z
  .enum([...PLACES, ...(Object.keys(ALIASES) as (keyof typeof ALIASES)[])])
  .transform((name): Place => (name in ALIASES ? ALIASES[name as keyof typeof ALIASES] : (name as Place)))

/** Column and row of a place, each 0, 0.5 or 1: the share of the free room that lies before it. */
export function shareOf(place: Place): { x: number; y: number } {
  const index = PLACES.indexOf(place)
  return { x: (index % 3) / 2, y: Math.floor(index / 3) / 2 }
}

/** Where a box of this size begins in a picture, `margin` pixels away from the edges. */
export function placeBox(
  place: Place,
  frame: { width: number; height: number },
  box: { width: number; height: number },
  margin: number,
): { x: number; y: number } {
  const share = shareOf(place)
  return {
    x: placeAlong(frame.width, box.width, margin, share.x),
    y: placeAlong(frame.height, box.height, margin, share.y),
  }
}

function placeAlong(length: number, size: number, margin: number, share: number): number {
  const room = Math.max(0, length - size)
  const edge = Math.min(margin, room / 2)
  return Math.round(edge + (room - 2 * edge) * share)
}
