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
/** Density and its unit, and where chroma samples lie. */
const SHOWN_TAGS = new Set([ORIENTATION, 0x011a, 0x011b, 0x0128, 0x0213, EXIF_IFD])
/** The color space, and the pointer to the index that says Adobe RGB. */
const COLOUR_TAGS = new Set([0xa001, INTEROP_IFD])
const INTEROP_TAGS = new Set([0x0001])
const LITTLE: Layout = { is_little: true, is_big: false }
const HEADER_BYTES = 8

interface KeptExif {
  layout: Layout
  shown: Entry[]
  colour: Entry[]
  interop: Entry[]
}

/**
 * Writes an EXIF block that holds only how to show the image: orientation, density, color space.
 * @returns null where nothing of that is left to say.
 */
export async function keepExif(exif: Buffer | null, orientation: number): Promise<Buffer | null> {
  const { layout, shown, colour, interop } = (exif === null ? null : await readKept(exif)) ?? NOTHING
  const turned = orientation > 1 ? [numbersEntry(ORIENTATION, SHORT, [orientation], layout)] : []
  const tags = [...shown, ...turned]
  if (tags.length + colour.length === 0) return null
  return encodeExif({ layout, shown: tags, colour, interop })
}

const NOTHING: KeptExif = { layout: LITTLE, shown: [], colour: [], interop: [] }

/** @returns null where the block is corrupt: decoders then ignore it, too. */
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
    const colour = await follow(first, EXIF_IFD, COLOUR_TAGS)
    const interop = await follow(colour, INTEROP_IFD, INTEROP_TAGS)
    const isShown = ({ tag, data }: Entry) => tag !== ORIENTATION && tag !== EXIF_IFD && data.length <= 8
    const isColour = ({ tag, data }: Entry) => tag !== INTEROP_IFD && data.length <= 4
    const short = interop.filter(({ data }) => data.length <= 4)
    return { layout, shown: first.filter(isShown), colour: colour.filter(isColour), interop: short }
  } catch {
    return null
  }
}

function encodeExif({ layout, shown, colour, interop }: KeptExif): Buffer {
  const pointer = (tag: number, offset: number) => numbersEntry(tag, LONG, [offset], layout)
  const first_bytes = ifdBytes([...shown, ...(colour.length > 0 ? [pointer(EXIF_IFD, 0)] : [])], layout)
  const colour_at = HEADER_BYTES + first_bytes
  const nested = [...colour, ...(interop.length > 0 ? [pointer(INTEROP_IFD, 0)] : [])]
  const interop_at = colour_at + ifdBytes(nested, layout)
  const ifd = (entries: Entry[], at: number) => encodeIfd({ entries, next: 0 }, at, layout)
  const first = [...shown, ...(colour.length > 0 ? [pointer(EXIF_IFD, colour_at)] : [])]
  const second = [...colour, ...(interop.length > 0 ? [pointer(INTEROP_IFD, interop_at)] : [])]
  return Buffer.concat([
    encodeTiffHeader(HEADER_BYTES, layout),
    ifd(first, HEADER_BYTES),
    ...(colour.length > 0 ? [ifd(second, colour_at)] : []),
    ...(colour.length > 0 && interop.length > 0 ? [ifd(interop, interop_at)] : []),
  ])
}
