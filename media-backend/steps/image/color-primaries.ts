import type { Chromaticities, ColorCodePoints } from '../../../shared/planning/facts.ts'

export type Triple = readonly [number, number, number]
export type Matrix = readonly [Triple, Triple, Triple]
type Chromaticity = readonly [x: number, y: number]

interface Primaries {
  red: Chromaticity
  green: Chromaticity
  blue: Chromaticity
  white: Chromaticity
}

const D65: Chromaticity = [0.3127, 0.329]
const C: Chromaticity = [0.31, 0.316]
const BT709 = { red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06], white: D65 } as const
const BT601_525 = { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: D65 } as const
const P3 = { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: D65 } as const

/** Primaries, keyed by the code points of ColourPrimaries (ITU-T H.273, table 2). */
const PRIMARIES: ReadonlyMap<number, Primaries> = new Map<number, Primaries>([
  [4, { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: C }],
  [5, { ...BT709, green: [0.29, 0.6] }],
  [6, BT601_525],
  [7, BT601_525],
  [8, { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: C }],
  [9, { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: D65 }],
  [11, { ...P3, white: [0.314, 0.351] }],
  [12, P3],
  [22, { red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: D65 }],
])

/** Checks for the primaries of BT.709, which sRGB shares. Unknown code points count as BT.709. */
export function hasSrgbPrimaries({ primaries, chromaticities }: ColorCodePoints): boolean {
  return chromaticities === undefined && !PRIMARIES.has(primaries)
}

/** Matrix from XYZ to the cone responses of Bradford chromatic adaptation. Its inverse maps back. */
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]
const D50: Triple = [0.9642, 1, 0.8249]

/** Returns the XYZ values of red, green and blue, adapted to D50. Uses BT.709 for unknown code points. */
export function colorantsOf({ primaries, chromaticities }: ColorCodePoints): Matrix {
  const { red, green, blue, white } =
    chromaticities === undefined ? (PRIMARIES.get(primaries) ?? BT709) : namePrimaries(chromaticities)
  const columns = transpose([toXyz(red), toXyz(green), toXyz(blue)])
  const white_xyz = toXyz(white)
  const amounts = apply(invert(columns), white_xyz)
  const from = apply(BRADFORD, white_xyz)
  const to = apply(BRADFORD, D50)
  const back = invert(BRADFORD)
  const adapt = (xyz: Triple): Triple => {
    const [long, medium, short] = apply(BRADFORD, xyz)
    return apply(back, [(long * to[0]) / from[0], (medium * to[1]) / from[1], (short * to[2]) / from[2]])
  }
  const [x, y, z] = [toXyz(red), toXyz(green), toXyz(blue)]
  return [adapt(scale(x, amounts[0])), adapt(scale(y, amounts[1])), adapt(scale(z, amounts[2]))]
}

function namePrimaries([wx, wy, rx, ry, gx, gy, bx, by]: Chromaticities): Primaries {
  return { white: [wx, wy], red: [rx, ry], green: [gx, gy], blue: [bx, by] }
}

function toXyz([x, y]: Chromaticity): Triple {
  return [x / y, 1, (1 - x - y) / y]
}

function scale([x, y, z]: Triple, factor: number): Triple {
  return [x * factor, y * factor, z * factor]
}

export function apply(matrix: Matrix, [x, y, z]: Triple): Triple {
  const row = ([a, b, c]: Triple) => a * x + b * y + c * z
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])]
}

export function transpose([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  return [
    [a, d, g],
    [b, e, h],
    [c, f, i],
  ]
}

export function invert([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
  const factor = 1 / determinant
  return [
    scale([e * i - f * h, c * h - b * i, b * f - c * e], factor),
    scale([f * g - d * i, a * i - c * g, c * d - a * f], factor),
    scale([d * h - e * g, b * g - a * h, a * e - b * d], factor),
  ]
}
