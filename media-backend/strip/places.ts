import { applyPatches, type Box, blankBox, iterateBoxes, type Patch } from './boxes.ts'
import { type ByteSource, CorruptImage, type Piece, rewriteFile } from './bytes.ts'
import { reachItems } from './heif-reach.ts'
import { jpegEnd } from './jpeg.ts'
import { blankMovie } from './movie.ts'
import { chunksOf, TEXT_CHUNKS, wholeChunk } from './png.ts'

/** Tags that state where an image was taken or which place it shows, as named by exiftool. */
export const PLACES = [
  ...['GPS:all', 'XMP:*GPS*', 'XMP:*Latitude*', 'XMP:*Longitude*', 'XMP:*Altitude*', 'XMP-iptcExt:Location*'],
  ...['XMP-iptcCore:Location', 'XMP-iptcCore:CountryCode', 'XMP-photoshop:City', 'XMP-photoshop:State'],
  ...['XMP-photoshop:Country', 'IPTC:City', 'IPTC:Sub-location', 'IPTC:Province-State', 'IPTC:Country*'],
  ...['IPTC:ContentLocation*', 'XMP-dwc:DCTermsLocation', 'XMP-cell:all', 'XMP-photomech:CountryCode'],
  ...['XMP-mediapro:Location', 'XMP-pmi:Location', 'XMP-prism:Location', 'XMP-xmpDM:ShotLocation'],
  'XMP-prl:Geography',
]

/**
 * Names of tags and keywords that contain a place. The addresses of the creator and licensor are contact data and
 * stay. ISOSpeedLatitude is about exposure, and GlobalAltitude is about light.
 */
const PLACE_NAME =
  /GPS|(?<!ISOSpeed)Latitude|Longitude|(?<!Global)Altitude|^(City(Name|\d)?|State|Country.*|Province.*|Sub-?location|(Local|Shot)?Location.*|ContentLocation.*|Landmark|Geography|(Hometown|Destination|TimeZone)City(Code)?)$/i
/** Cell towers, and location terms from Darwin Core. */
const PLACE_TAG = /^XMP-(cell:|dwc:DC(?!Event))/
/** Values that cameras write for a city that has not been set. */
const UNSET = /^\W*(n\/a)?\W*$/

/** Checks whether a keyword names a place, with or without a namespace. */
export function isPlaceName(keyword: string): boolean {
  return PLACE_NAME.test(keyword.replace(/^\w+:/, ''))
}

/** Groups of tags that exiftool derives, or that only repeat other tags. */
const DERIVED = /^(ExifTool|System|File|Composite|ICC.*):/

/** Returns which of the tags that exiftool found contain a place. */
export function placesAmong(tags: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(tags).flatMap(([name, value]) => {
    const is_place = PLACE_TAG.test(name) || PLACE_NAME.test(name.replace(/^.*:/, ''))
    return is_place && !DERIVED.test(name) && !UNSET.test(String(value)) ? [name] : []
  })
}

/**
 * Copies an image without the places that exiftool cannot reach: those in PNG text, in the video of a motion photo,
 * and in additional images of a JPEG.
 * @param format sharp's name for the format.
 */
export async function blankPlaces(
  format: string,
  input: string,
  output: string,
  signal: AbortSignal,
): Promise<void> {
  await rewriteFile(input, output, signal, async (source) => {
    if (format === 'png') return withoutPlaceText(source)
    if (format !== 'jpeg' && format !== 'heif') return [{ start: 0, end: source.size }]
    const from = format === 'jpeg' ? await jpegEnd(source) : 16
    const patches = [
      ...(format === 'heif' ? await reachItems(source) : []),
      ...(await blankVideos(source, from)),
      ...(await blankSegments(source, format, from)),
    ]
    return applyPatches(patches, 0, source.size)
  })
}

const KEYWORD_BYTES_MAX = 80

async function withoutPlaceText(source: ByteSource): Promise<Piece[]> {
  const pieces: Piece[] = [{ start: 0, end: 8 }]
  for await (const chunk of chunksOf(source)) {
    const [keyword = ''] = (await source.read(chunk.start + 8, KEYWORD_BYTES_MAX))
      .toString('latin1')
      .split('\0')
    if (!TEXT_CHUNKS.has(chunk.type) || !isPlaceName(keyword)) pieces.push(wholeChunk(chunk))
  }
  return pieces
}

const MOVIES_MAX = 100

/** Blanks the metadata of all movies after a position. The movies stay playable. */
async function blankVideos(source: ByteSource, from: number): Promise<Patch[]> {
  const patches: Patch[] = []
  let [movies, read_to] = [0, from]
  for await (const at of occurrences(source, 'ftyp', from)) {
    // Reads each byte as part of only one movie. Otherwise, a file full of movies would take hours.
    if (at < read_to) continue
    const boxes = await boxesFrom(source, at - 4)
    read_to = boxes.at(-1)?.end ?? read_to
    movies += Math.min(1, boxes.length)
    if (movies > MOVIES_MAX) throw new CorruptImage('an image with too many videos')
    for (const box of boxes) {
      if (box.type === 'moov') patches.push(...(await blankMovie(source, box)))
      else if (['uuid', 'udta', 'meta'].includes(box.type)) patches.push(...blankBox(box))
    }
  }
  return patches
}

async function boxesFrom(source: ByteSource, start: number): Promise<Box[]> {
  const boxes: Box[] = []
  try {
    for await (const box of iterateBoxes(source, start, source.size)) boxes.push(box)
  } catch (error) {
    // A trailer from the device maker may follow the movie.
    if (!(error instanceof CorruptImage)) throw error
  }
  return boxes
}

/**
 * Headers of segments in additional images of a JPEG that may name a place. An XMP segment is blanked only if it
 * names one.
 */
const PLACE_SEGMENTS = [
  { header: 'Exif\0\0', marker: 0xffe1, names: null },
  { header: 'http://ns.adobe.com/xap/1.0/\0', marker: 0xffe1, names: /GPS|Latitude|City|Country|Location/ },
  { header: 'Photoshop 3.0\0', marker: 0xffed, names: null },
]

async function blankSegments(source: ByteSource, format: string, from: number): Promise<Patch[]> {
  if (format !== 'jpeg') return []
  const patches: Patch[] = []
  for (const { header, marker, names } of PLACE_SEGMENTS) {
    let read_to = from
    for await (const at of occurrences(source, header, from)) {
      if (at < read_to) continue
      const head = await source.read(at - 4, 4)
      if (head.readUInt16BE(0) !== marker) continue
      const end = Math.min(source.size, at - 2 + head.readUInt16BE(2))
      read_to = end
      const content = (await source.read(at, end - at)).toString('latin1')
      if (names === null || names.test(content)) patches.push({ start: at, end, bytes: 'zeros' })
    }
  }
  return patches
}

const WINDOW_BYTES = 256 * 1024

/** Finds these bytes after a position. At least four bytes must precede them in the file. */
async function* occurrences(source: ByteSource, text: string, from: number): AsyncGenerator<number> {
  const needle = Buffer.from(text, 'latin1')
  for (let at = from; at < source.size; at += WINDOW_BYTES) {
    const window = await source.read(at, WINDOW_BYTES + needle.length - 1)
    for (let found = window.indexOf(needle); found >= 0; found = window.indexOf(needle, found + 1))
      if (at + found >= 4) yield at + found
  }
}
