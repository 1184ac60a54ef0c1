import { type ByteSource, CorruptImage, readSource } from '../../../strip/bytes.ts'
import { type Entry, type Layout, numbersOf, readIfd, readTiffHeader } from '../../../strip/tiff-ifd.ts'

/** What one directory of a TIFF says about its image. Numbers are those of the TIFF specification. */
export interface TiffImage {
  /** Part of the chain of pages, not inside another image. */
  is_page: boolean
  width: number
  height: number
  /** 1 marks a reduced version of another image. */
  subfile: number
  bits: number[]
  compression: number
  photometric: number | null
  /** 2 stores each channel separately. */
  planar: number
  sample_format: number
  is_tiled: boolean
  make: string
  is_dng: boolean
  /** Bytes of all strips or tiles. */
  data_bytes: number
  /** All strips or tiles lie inside the file. */
  is_inside: boolean
}

const TAG = {
  ...{ subfile: 254, width: 256, height: 257, bits: 258, compression: 259, photometric: 262, make: 271 },
  ...{ strip_offsets: 273, strip_counts: 279, planar: 284, tile_width: 322, tile_offsets: 324 },
  ...{ tile_counts: 325, sub_ifds: 330, sample_format: 339, dng_version: 50_706 },
} as const
const WANTED: ReadonlySet<number> = new Set(Object.values(TAG))
const DIRECTORIES_MAX = 64

/**
 * Describes the images of a TIFF: those of the chain first, each followed by the ones inside it.
 * @returns an empty list for files that are not readable as TIFF.
 */
export async function describeTiff(path: string, signal: AbortSignal): Promise<TiffImage[]> {
  let images: TiffImage[] = []
  await readSource(path, signal, async (source) => {
    images = await readImages(source)
  }).catch((error: unknown) => {
    if (!(error instanceof CorruptImage)) throw error
  })
  return images
}

async function readImages(source: ByteSource): Promise<TiffImage[]> {
  const header = await readTiffHeader(source)
  if (header === null) return []
  const images: TiffImage[] = []
  const pending = [{ at: header.first, is_page: true }]
  const seen = new Set<number>()
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { at, is_page } = place
    if (at === 0 || at >= source.size || seen.has(at) || seen.size === DIRECTORIES_MAX) continue
    seen.add(at)
    const { entries, next } = await readIfd(source, at, header.layout, WANTED)
    images.push({ is_page, ...describe(entries, header.layout, source.size) })
    const inner = numbersAt(entries, TAG.sub_ifds, header.layout).reverse()
    pending.push({ at: next, is_page }, ...inner.map((each) => ({ at: each, is_page: false })))
  }
  return images
}

function describe(entries: readonly Entry[], layout: Layout, size: number): Omit<TiffImage, 'is_page'> {
  const all = (tag: number) => numbersAt(entries, tag, layout)
  const one = (tag: number) => all(tag)[0]
  const is_tiled = one(TAG.tile_width) !== undefined
  const offsets = all(is_tiled ? TAG.tile_offsets : TAG.strip_offsets)
  const counts = all(is_tiled ? TAG.tile_counts : TAG.strip_counts)
  return {
    ...{ width: one(TAG.width) ?? 0, height: one(TAG.height) ?? 0, subfile: one(TAG.subfile) ?? 0 },
    ...{ bits: all(TAG.bits), compression: one(TAG.compression) ?? 1, is_tiled },
    ...{ photometric: one(TAG.photometric) ?? null, planar: one(TAG.planar) ?? 1 },
    sample_format: one(TAG.sample_format) ?? 1,
    make: textAt(entries, TAG.make),
    is_dng: entries.some(({ tag }) => tag === TAG.dng_version),
    data_bytes: counts.reduce((sum, bytes) => sum + bytes, 0),
    is_inside: offsets.every((start, index) => start + (counts[index] ?? 0) <= size),
  }
}

function numbersAt(entries: readonly Entry[], wanted: number, layout: Layout): number[] {
  const entry = entries.find(({ tag }) => tag === wanted)
  return entry === undefined ? [] : numbersOf(entry, layout)
}

function textAt(entries: readonly Entry[], wanted: number): string {
  const text = entries.find(({ tag }) => tag === wanted)?.data.toString('latin1') ?? ''
  return text.replace(/\0.*$/s, '').trim()
}
