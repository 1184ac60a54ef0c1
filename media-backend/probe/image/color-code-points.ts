import type { ColorCodePoints } from '../../../shared/planning/facts.ts'
import { readBox, readHead } from '../../runtime/image-head.ts'
import { readHeifColor } from './heif-color.ts'
import { readPngColor } from './png-color.ts'

/** Primaries and transfers that are displayed as sRGB: BT.709 and its equivalents, or unspecified. */
const SRGB_PRIMARIES: ReadonlySet<number> = new Set([0, 1, 2, 3])
const SRGB_TRANSFERS: ReadonlySet<number> = new Set([0, 1, 2, 3, 6, 13, 14, 15])
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * Reads the color code points (ITU-T H.273) of a HEIF or PNG file, which libvips ignores.
 * @returns undefined for sRGB, for HEIF with an ICC profile, and for a file without code points.
 */
export async function readColorCodePoints(path: string): Promise<ColorCodePoints | undefined> {
  const head = await readHead(path)
  const color = head.subarray(0, 8).equals(PNG_SIGNATURE)
    ? readPngColor(head)
    : readHeifColor((await readBox(path, 'meta')).subarray(8))
  if (color === null) return undefined
  if (color.gamma !== undefined || color.chromaticities !== undefined) return color
  const is_srgb = SRGB_PRIMARIES.has(color.primaries) && SRGB_TRANSFERS.has(color.transfer)
  return is_srgb ? undefined : color
}
