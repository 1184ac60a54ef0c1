import { bufferSource } from './bytes.ts'
import {
  type Entry,
  encodeIfd,
  encodeTiffHeader,
  ifdBytes,
  type Layout,
  LONG,
  numbersEntry,
  numbersOf,
  readIfd,
  readTiffHeader,
  SHORT,
} from './tiff-ifd.ts'

const ORIENTATION = 0x0112
const EXIF_IFD = 0x8769
const INTEROP_IFD = 0xa005
/** Orientation, density with its unit, the position of chroma samples, and the pointer to the EXIF directory. */
const SHOWN_TAGS = new Set([ORIENTATION, 0x011a, 0x011b, 0x0128, 0x0213, EXIF_IFD])
/** The color space, and the pointer to the directory that identifies Adobe RGB. */
const COLOR_TAGS = new Set([0xa001, INTEROP_IFD])
const INTEROP_TAGS = new Set([0x0001])
const LITTLE: Layout = { is_little: true, is_big: false }
const HEADER_BYTES = 8

interface KeptExif {
  layout: Layout
  shown: Entry[]
  color: Entry[]
  interop: Entry[]
}

/**
 * Writes an EXIF block with only what is needed for display: orientation, density and color space.
 * @returns null if none of these are present.
 */
export async function keepExif(exif: Buffer | null, orientation: number): Promise<Buffer | null> {
  const { layout, shown, color, interop } = (exif === null ? null : await readKept(exif)) ?? NOTHING
  const turned = orientation > 1 ? [numbersEntry(ORIENTATION, SHORT, [orientation], layout)] : []
  const tags = [...shown, ...turned]
  if (tags.length + color.length === 0) return null
  return encodeExif({ layout, shown: tags, color, interop })
}

const NOTHING: KeptExif = { layout: LITTLE, shown: [], color: [], interop: [] }

/**
 * Reads the tags to keep.
 * @returns null if the block is corrupt; decoders ignore such a block too.
 */
async function readKept(exif: Buffer): Promise<KeptExif | null> {
  try {
    const source = bufferSource(exif)
    const header = await readTiffHeader(source)
    if (header === null) return null
    const { layout } = header
    const follow = async (entries: Entry[], pointer: number, tags: ReadonlySet<number>) => {
      const found = entries.find(({ tag }) => tag === pointer)
      const [offset] = found === undefined ? [] : numbersOf(found, layout)
      return offset === undefined ? [] : (await readIfd(source, offset, layout, tags)).entries
    }
    const first = (await readIfd(source, header.first, layout, SHOWN_TAGS)).entries
    const color = await follow(first, EXIF_IFD, COLOR_TAGS)
    const interop = await follow(color, INTEROP_IFD, INTEROP_TAGS)
    const isShown = ({ tag, data }: Entry) => tag !== ORIENTATION && tag !== EXIF_IFD && data.length <= 8
    const isColor = ({ tag, data }: Entry) => tag !== INTEROP_IFD && data.length <= 4
    const short = interop.filter(({ data }) => data.length <= 4)
    return { layout, shown: first.filter(isShown), color: color.filter(isColor), interop: short }
  } catch {
    return null
  }
}

function encodeExif({ layout, shown, color, interop }: KeptExif): Buffer {
  const pointer = (tag: number, offset: number) => numbersEntry(tag, LONG, [offset], layout)
  const first_bytes = ifdBytes([...shown, ...(color.length > 0 ? [pointer(EXIF_IFD, 0)] : [])], layout)
  const color_at = HEADER_BYTES + first_bytes
  const nested = [...color, ...(interop.length > 0 ? [pointer(INTEROP_IFD, 0)] : [])]
  const interop_at = color_at + ifdBytes(nested, layout)
  const ifd = (entries: Entry[], at: number) => encodeIfd({ entries, next: 0 }, at, layout)
  const first = [...shown, ...(color.length > 0 ? [pointer(EXIF_IFD, color_at)] : [])]
  const second = [...color, ...(interop.length > 0 ? [pointer(INTEROP_IFD, interop_at)] : [])]
  return Buffer.concat([
    encodeTiffHeader(HEADER_BYTES, layout),
    ifd(first, HEADER_BYTES),
    ...(color.length > 0 ? [ifd(second, color_at)] : []),
    ...(color.length > 0 && interop.length > 0 ? [ifd(interop, interop_at)] : []),
  ])
}
