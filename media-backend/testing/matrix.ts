/** The upper left part of a display matrix: the vector for a step to the right, then the vector for a step down. */
export type Matrix = readonly [number, number, number, number]

/** Writes a display matrix into the track header of an MP4 in 16.16 fixed point, as cameras do. */
export function withMatrix(clip: Buffer, [a, b, c, d]: Matrix): Buffer {
  const turned = Buffer.from(clip)
  const start = turned.indexOf('tkhd', 0, 'latin1') + 44
  for (const [index, value] of [a, b, 0, c, d].entries())
    turned.writeInt32BE(value * 0x10000, start + 4 * index)
  return turned
}
