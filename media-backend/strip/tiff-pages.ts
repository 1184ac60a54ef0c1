import { failWith } from '../runtime/failure.ts'
import type { ByteSource } from './bytes.ts'
import { type Layout, numbersOf, readIfd, readTiffHeader } from './tiff-ifd.ts'

const STRIPS = { offsets: 273, counts: 279 }
const TILES = { offsets: 324, counts: 325 }
const DATA_TAGS = new Set([STRIPS.offsets, STRIPS.counts, TILES.offsets, TILES.counts])
/** exiftool takes 2 s for this many pages, and its list of their tags is near the maximum length. */
const PAGES_MAX = 3000

/**
 * Lists the pages of a TIFF whose directory or pixels may lie past the end of the file. Page numbers start at 0.
 * @throws JobFailure if there are too many pages.
 */
export async function listDoubtfulPages(source: ByteSource): Promise<number[]> {
  const header = await readTiffHeader(source)
  if (header === null) return []
  const doubtful: number[] = []
  const seen = new Set<number>()
  for (let at = header.first; at !== 0 && !seen.has(at); ) {
    const page = seen.size
    addPage(seen, at)
    if (at >= source.size) return [...doubtful, page]
    const { is_inside, next } = await readPage(source, at, header.layout)
    if (!is_inside) doubtful.push(page)
    at = next
  }
  return doubtful
}

/** Adds the offset of a page, unless there are too many. */
export function addPage(seen: Set<number>, offset: number): void {
  if (seen.size === PAGES_MAX) throw failWith('content_too_complex')
  seen.add(offset)
}

async function readPage(
  source: ByteSource,
  at: number,
  layout: Layout,
): Promise<{ is_inside: boolean; next: number }> {
  const { entries, next } = await readIfd(source, at, layout, DATA_TAGS)
  const kind = entries.some(({ tag }) => tag === TILES.offsets) ? TILES : STRIPS
  const read = (wanted: number) => {
    const entry = entries.find(({ tag }) => tag === wanted)
    return entry === undefined ? [] : numbersOf(entry, layout)
  }
  const [offsets, counts] = [read(kind.offsets), read(kind.counts)]
  const is_inside = offsets.every((start, index) => start + (counts[index] ?? 0) <= source.size)
  return { is_inside: offsets.length > 0 && is_inside, next }
}
