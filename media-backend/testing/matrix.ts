/** The upper left of a display matrix: how far right and down a step to the right leads, then one down. */
export type Matrix = readonly [number, number, number, number]

/** An MP4 with this display matrix where cameras write theirs: in the track's header, as 16.16 fixed point. */
export function withMatrix(clip: Buffer, [a, b, c, d]: Matrix): Buffer {
  const turned = Buffer.from(clip)
  const start = turned.indexOf('tkhd', 0, 'latin1') + 44
  for (const [index, value] of [a, b, 0, c, d].entries())
    turned.writeInt32BE(value * 0x10000, start + 4 * index)
  return turned
}
