import { failWith, type JobFailure } from '../../runtime/failure.ts'
import { readHead } from '../../runtime/image-head.ts'

/** Kinds of HEIF images that the service does not decode, by brand (ISO/IEC 23008-12). */
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['avci', 'H.264'],
  ['avcs', 'H.264'],
  ['jpeg', 'JPEG'],
  ['jpgs', 'JPEG'],
  ['j2ki', 'JPEG 2000'],
  ['j2is', 'JPEG 2000'],
  ['vvic', 'H.266'],
  ['vvis', 'H.266'],
  ['evbi', 'EVC'],
  ['evbs', 'EVC'],
  ['unif', 'unci'],
])
const BOX_BYTES_MAX = 256

/**
 * Reads the major brand of an ISO base media file, followed by its compatible brands. Returns an empty list for
 * other files.
 */
export async function readBrands(path: string): Promise<string[]> {
  const head = await readHead(path, BOX_BYTES_MAX)
  if (head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [head.toString('latin1', 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  return brands
}

/** Explains why a HEIF file is not supported. Returns null for other files. */
export function explainBrands(brands: readonly string[]): JobFailure | null {
  const [major = ''] = brands
  const coding = UNSUPPORTED.get(brands.find((brand) => UNSUPPORTED.has(brand)) ?? '')
  if (coding !== undefined) return failWith('heif_coding_unsupported', { coding })
  if (major === 'mif3') return failWith('heif_short_form')
  if (major === 'avis') return failWith('avif_animated')
  const is_sequence = ['hevc', 'hevx', 'hevm', 'hevs', 'msf1'].includes(major)
  return is_sequence ? failWith('heic_sequence') : null
}
