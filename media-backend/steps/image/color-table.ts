import type { ColorCodePoints } from '../../../shared/planning/facts.ts'
import { apply, colorantsOf, invert, type Matrix, type Triple, transpose } from './color-primaries.ts'

/** Grid points per channel. PQ and HLG are perceptually uniform, so lcms can interpolate between these points. */
const GRID = 33
const BT709 = { primaries: 1, transfer: 1 }
const D50: Triple = [0.9642, 1, 0.8249]
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]
const HEAD_BYTES = 52
const RAMP = [0, 0xffff]

/**
 * Makes a table (ICC.1:2001, lut16Type) that maps signals to CIELAB. Colors are converted to sRGB primaries before
 * tone mapping. In the opposite order, colors in wide primaries would lose saturation.
 */
export function toneMappedTable(
  color: ColorCodePoints,
  light: (signal: number) => number,
  compress: (light: number) => number,
): Buffer {
  const to_xyz709 = transpose(colorantsOf(BT709))
  const to_709 = multiply(invert(to_xyz709), transpose(colorantsOf(color)))
  const lights = Array.from({ length: GRID }, (_, index) => light(index / (GRID - 1)))
  const mapped: number[] = []
  for (const red of lights)
    for (const green of lights)
      for (const blue of lights) {
        const [r, g, b] = apply(to_709, [red, green, blue]).map((value) =>
          Math.min(1, compress(Math.max(0, value))),
        ) as [number, number, number]
        mapped.push(...encodeLab(apply(to_xyz709, [r, g, b])))
      }
  return encodeTable(mapped)
}

function multiply(one: Matrix, other: Matrix): Matrix {
  const columns = transpose(other)
  return transpose([apply(one, columns[0]), apply(one, columns[1]), apply(one, columns[2])])
}

function encodeLab(xyz: Triple): Triple {
  const root = (value: number) =>
    value > 216 / 24_389 ? Math.cbrt(value) : ((24_389 / 27) * value + 16) / 116
  const [x, y, z] = [root(xyz[0] / D50[0]), root(xyz[1] / D50[1]), root(xyz[2] / D50[2])]
  return [(116 * y - 16) * 652.8, (500 * (x - y) + 128) * 256, (200 * (y - z) + 128) * 256]
}

function encodeTable(mapped: readonly number[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write('mft2', 'latin1')
  head.set([3, 3, GRID], 8)
  for (const [index, value] of IDENTITY.entries()) head.writeInt32BE(value * 65_536, 12 + index * 4)
  head.writeUInt16BE(RAMP.length, 48)
  head.writeUInt16BE(RAMP.length, 50)
  const ramps = [...RAMP, ...RAMP, ...RAMP]
  const values = [...ramps, ...mapped, ...ramps]
  const data = Buffer.alloc(4 * Math.ceil((values.length * 2) / 4))
  for (const [index, value] of values.entries())
    data.writeUInt16BE(Math.min(0xffff, Math.max(0, Math.round(value))), index * 2)
  return Buffer.concat([head, data])
}
