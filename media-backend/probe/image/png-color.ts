import type { Chromaticities, ColorCodePoints } from '../../../shared/planning/facts.ts'

const SIGNATURE_BYTES = 8
const UNIT = 100_000
const UNSPECIFIED = 2
const SRGB_TRANSFER = 13
/** The sRGB chromaticities of white, red, green and blue. */
const SRGB: Chromaticities = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]
const CHROMATICITY_TOLERANCE = 0.005
/** The gamma of files that are meant to be sRGB. A difference of 5% is invisible, and libpng ignores it too. */
const SRGB_GAMMA = 2.2
const GAMMA_TOLERANCE = 0.05
const GAMMA_MAX = 10
const AREA_MIN = 0.01

/**
 * Reads the color encoding of a PNG from the chunks before its pixels: cICP, or else sRGB, or else gAMA and cHRM
 * (PNG, third edition, 4.3).
 * @param head the start of a file known to be a PNG.
 */
export function readPngColor(head: Buffer): ColorCodePoints | null {
  const chunks = readChunks(head)
  const coded = chunks.get('cICP')
  if (coded !== undefined && coded.length >= 2)
    return { primaries: coded.readUInt8(0), transfer: coded.readUInt8(1) }
  if (chunks.has('sRGB')) return null
  const gamma = readGamma(chunks.get('gAMA'))
  const chromaticities = readChromaticities(chunks.get('cHRM'))
  if (gamma === null && chromaticities === null) return null
  return {
    primaries: UNSPECIFIED,
    transfer: SRGB_TRANSFER,
    ...(gamma !== null && { gamma }),
    ...(chromaticities !== null && { chromaticities }),
  }
}

function readChunks(head: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>()
  for (let at = SIGNATURE_BYTES; at + 12 <= head.length; ) {
    const length = head.readUInt32BE(at)
    const type = head.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') return chunks
    chunks.set(type, head.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return chunks
}

/** Reads the gamma. Returns null if it equals that of sRGB or is implausible. */
function readGamma(chunk: Buffer | undefined): number | null {
  if (chunk === undefined || chunk.length < 4) return null
  const gamma = UNIT / chunk.readUInt32BE(0)
  if (gamma > GAMMA_MAX || gamma < 1 / GAMMA_MAX) return null
  return Math.abs(gamma / SRGB_GAMMA - 1) <= GAMMA_TOLERANCE ? null : gamma
}

/** Reads the chromaticities. Returns null if they are those of sRGB or are implausible. */
function readChromaticities(chunk: Buffer | undefined): Chromaticities | null {
  if (chunk === undefined || chunk.length < 4 * SRGB.length) return null
  const read = SRGB.map((_, index) => chunk.readUInt32BE(4 * index) / UNIT) as unknown as Chromaticities
  const [white_x, white_y, red_x, red_y, green_x, green_y, blue_x, blue_y] = read
  const area = Math.abs((green_x - red_x) * (blue_y - red_y) - (blue_x - red_x) * (green_y - red_y)) / 2
  const lowest_y = Math.min(white_y, red_y, green_y, blue_y)
  if (area < AREA_MIN || lowest_y <= 0 || white_x + white_y > 1 || Math.max(...read) > 1) return null
  const is_srgb = read.every((value, index) => Math.abs(value - (SRGB[index] ?? 0)) <= CHROMATICITY_TOLERANCE)
  return is_srgb ? null : read
}
