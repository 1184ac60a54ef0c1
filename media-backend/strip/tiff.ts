import { type ByteSource, CorruptImage, type Piece, type Range } from './bytes.ts'
import { keepColorProfile } from './icc.ts'
import {
  type Entry,
  encodeIfd,
  encodeTiffHeader,
  even,
  ifdBytes,
  type Layout,
  LONG,
  LONG8,
  numbersEntry,
  numbersOf,
  readIfd,
  readTiffHeader,
} from './tiff-ifd.ts'
import { addPage } from './tiff-pages.ts'

const SUBFILE_TYPE = 254
const COMPRESSION = 259
const PROFILE = 34675
const STRIPS = { offsets: 273, counts: 279 }
const TILES = { offsets: 324, counts: 325 }
const OLD_JPEG = 6

/** Tags that a decoder needs for a page: size, compression, colors, orientation and density. */
const KEPT_TAGS: ReadonlySet<number> = new Set([
  ...[SUBFILE_TYPE, 256, 257, 258, COMPRESSION, 262, 263, 264, 265, 266, STRIPS.offsets, 274, 277, 278],
  ...[STRIPS.counts, 280, 281, 282, 283, 284, 286, 287, 290, 291, 292, 293, 296, 297, 301, 317, 318, 319],
  ...[320, 321, 322, 323, TILES.offsets, TILES.counts, 332, 334, 336, 338, 339, 340, 341, 342, 347],
  ...[529, 530, 531, 532, PROFILE],
])

interface Page {
  entries: Entry[]
  /** The ranges of the strips or tiles, and the tag that defines them. */
  data: { tag: number; ranges: Range[] }
}

/** Keeps what a decoder needs from each page of a TIFF, and nothing else. */
export async function stripTiff(source: ByteSource): Promise<Piece[]> {
  const header = await readTiffHeader(source)
  if (header === null) throw new CorruptImage('no TIFF')
  const { layout } = header
  const pages = await readPages(source, header.first, layout)
  const placed = placePages(pages, layout)
  const copied_bytes = placed.reduce((sum, { bytes }) => sum + bytes, 0)
  if (copied_bytes > 2 * source.size + 65_536) throw new CorruptImage('a TIFF whose pages overlap')
  const pieces: Piece[] = [encodeTiffHeader(placed[0]?.ifd_at ?? 0, layout)]
  for (const [index, { ranges, entries, ifd_at, pad }] of placed.entries()) {
    const next = placed[index + 1]?.ifd_at ?? 0
    pieces.push(...ranges, Buffer.alloc(pad), encodeIfd({ entries, next }, ifd_at, layout))
  }
  return pieces
}

/** Reads the pages. Drops each preview, unless it is the first page. */
async function readPages(source: ByteSource, first: number, layout: Layout): Promise<Page[]> {
  const pages: Page[] = []
  const seen = new Set<number>()
  for (let offset = first; offset !== 0 && !seen.has(offset); ) {
    addPage(seen, offset)
    const { entries, next } = await readIfd(source, offset, layout, KEPT_TAGS)
    offset = next
    const is_preview = (firstNumber(entries, SUBFILE_TYPE, layout) ?? 0) % 2 === 1
    if (!is_preview || pages.length === 0) pages.push(readPage(source, entries, layout))
  }
  if (pages.length === 0) throw new CorruptImage('a TIFF without a page')
  return pages
}

function readPage(source: ByteSource, entries: Entry[], layout: Layout): Page {
  if (firstNumber(entries, COMPRESSION, layout) === OLD_JPEG)
    throw new CorruptImage('a TIFF with JPEG of the version that was withdrawn')
  const kind = entries.some(({ tag }) => tag === TILES.offsets) ? TILES : STRIPS
  const find = (wanted: number) => entries.find(({ tag }) => tag === wanted)
  const [offsets, counts] = [find(kind.offsets), find(kind.counts)]
  if (offsets === undefined || counts === undefined) throw new CorruptImage('a TIFF page without pixels')
  const lengths = numbersOf(counts, layout)
  const ranges = numbersOf(offsets, layout).map((start, index) => {
    const end = Math.min(source.size, start + (lengths[index] ?? 0))
    return { start: Math.min(start, end), end }
  })
  const dropped = new Set([STRIPS.offsets, STRIPS.counts, TILES.offsets, TILES.counts])
  const kept = entries.filter(({ tag }) => !dropped.has(tag)).map(bareProfile)
  const word = layout.is_big ? LONG8 : LONG
  const sizes = ranges.map(({ start, end }) => end - start)
  return {
    entries: [...kept, numbersEntry(kind.counts, word, sizes, layout)],
    data: { tag: kind.offsets, ranges },
  }
}

function bareProfile(entry: Entry): Entry {
  if (entry.tag !== PROFILE) return entry
  const data = keepColorProfile(entry.data)
  return { ...entry, data, count: data.length }
}

interface PlacedPage {
  /** The ranges to copy, consecutively, before the directory. */
  ranges: Range[]
  pad: number
  entries: Entry[]
  ifd_at: number
  bytes: number
}

function placePages(pages: readonly Page[], layout: Layout): PlacedPage[] {
  const word = layout.is_big ? LONG8 : LONG
  let at = layout.is_big ? 16 : 8
  return pages.map(({ entries, data: { tag, ranges } }) => {
    const begin = at
    const offsets = ranges.map(({ start, end }) => {
      const offset = at
      at += end - start
      return offset
    })
    const ifd_at = even(at)
    const pad = ifd_at - at
    const all = [...entries, numbersEntry(tag, word, offsets, layout)]
    at = ifd_at + ifdBytes(all, layout)
    return { ranges, pad, entries: all, ifd_at, bytes: at - begin }
  })
}

function firstNumber(entries: readonly Entry[], wanted: number, layout: Layout): number | undefined {
  const entry = entries.find(({ tag }) => tag === wanted)
  return entry === undefined ? undefined : numbersOf(entry, layout)[0]
}
