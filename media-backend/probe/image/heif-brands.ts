import { readHead } from '../../runtime/image-head.ts'

/** Kinds of HEIF images that the service does not decode, by brand (ISO/IEC 23008-12). */
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['avci', 'encoded as H.264'],
  ['avcs', 'encoded as H.264'],
  ['jpeg', 'encoded as JPEG'],
  ['jpgs', 'encoded as JPEG'],
  ['j2ki', 'encoded as JPEG 2000'],
  ['j2is', 'encoded as JPEG 2000'],
  ['vvic', 'encoded as H.266'],
  ['vvis', 'encoded as H.266'],
  ['evbi', 'encoded as EVC'],
  ['evbs', 'encoded as EVC'],
  ['unif', 'in the uncompressed coding (unci)'],
])
const SUPPORTED = 'Convert it to JPEG, PNG, WebP, AVIF or HEIC first.'
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
export function explainBrands(brands: readonly string[]): string | null {
  const [major = ''] = brands
  const kind = UNSUPPORTED.get(brands.find((brand) => UNSUPPORTED.has(brand)) ?? '')
  if (kind !== undefined) return `HEIF images ${kind} are not supported. ${SUPPORTED}`
  if (major === 'mif3') return `HEIF images in the short form (mif3) are not supported. ${SUPPORTED}`
  if (major === 'avis')
    return 'Animated AVIF images are not supported here. Use a JPEG, PNG, WebP or GIF image.'
  const is_sequence = ['hevc', 'hevx', 'hevm', 'hevs', 'msf1'].includes(major)
  return is_sequence
    ? 'HEIC image sequences are not supported. Save an image of it as HEIC or JPEG first.'
    : null
}
