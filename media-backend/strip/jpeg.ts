import { type ByteSource, CorruptImage, type Piece, type Range } from './bytes.ts'
import { keepExif } from './exif.ts'
import { keepColorProfile } from './icc.ts'

export const SOI = Buffer.from([0xff, 0xd8])
const EOI = Buffer.from([0xff, 0xd9])
const SCAN = 0xda
const END = 0xd9
const JFIF_BYTES = 18
const ADOBE_BYTES = 16
const ICC_HEADER = Buffer.from('ICC_PROFILE\0', 'latin1')
const EXIF_HEADER = Buffer.from('Exif\0\0', 'latin1')
const CHUNK_BYTES = 256 * 1024
/** A segment's length is stored in two bytes and includes those two bytes. */
const ICC_CHUNK_BYTES = 0xffff - 2 - ICC_HEADER.length - 2

export interface Segment {
  marker: number
  start: number
  /** End of the segment. For a scan, the end of its header, where the encoded data starts. */
  end: number
}

/** Display information from the segments before the pixels. */
interface Display {
  jfif: Buffer | null
  adobe: Buffer | null
  exif: Buffer | null
  profile: Buffer[]
}

/**
 * Keeps what a decoder needs from a JPEG: tables, frame, scans, pixel density, color transform and profile. Removes
 * all other segments and everything after the first image, such as previews, gain maps and videos.
 * @param orientation the EXIF orientation, which is kept.
 */
export async function stripJpeg(source: ByteSource, orientation: number): Promise<Piece[]> {
  const display: Display = { jfif: null, adobe: null, exif: null, profile: [] }
  const image: Range[] = []
  let has_scan = false
  let segment: Segment | null = null
  for (let at = 2; ; ) {
    segment = await nextSegment(source, at)
    if (segment === null || segment.marker === END) break
    at = segment.end
    if (isCoding(segment.marker)) {
      if (segment.marker === SCAN) {
        at = await scanEnd(source, segment.end)
        has_scan = true
      }
      image.push({ start: segment.start, end: at })
    } else if (!has_scan) await readDisplay(source, segment, display)
  }
  if (!has_scan) throw new CorruptImage('a JPEG without a scan')
  // A truncated image stays truncated so that decoders can detect it.
  const end = segment === null ? [] : [EOI]
  return [SOI, ...(await writeDisplay(display, orientation)), ...image, ...end]
}

/** Iterates over the segments before the first scan. */
export async function* segmentsOf(source: ByteSource): AsyncGenerator<Segment> {
  for (let at = SOI.length; ; ) {
    const segment = await nextSegment(source, at)
    if (segment === null || segment.marker === END || segment.marker === SCAN) return
    yield segment
    at = segment.end
  }
}

/** Returns the position where the first image of a JPEG ends. */
export async function jpegEnd(source: ByteSource): Promise<number> {
  for (let at = 2; ; ) {
    const segment = await nextSegment(source, at)
    if (segment === null || segment.marker === END) return segment?.end ?? source.size
    at = segment.marker === SCAN ? await scanEnd(source, segment.end) : segment.end
  }
}

/** Checks whether the marker is DHT, DAC, DQT, DNL, DRI, DHP, EXP, any kind of frame, or a scan. */
function isCoding(marker: number): boolean {
  return (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= 0xda && marker <= 0xdf)
}

/** Finds the next segment. Like decoders, skips fill bytes and stray bytes. Returns null at the end of the source. */
async function nextSegment(source: ByteSource, from: number): Promise<Segment | null> {
  for (let at = from; ; ) {
    const found = await findMarker(source, at)
    if (found === null) return null
    const { marker, start } = found
    if (marker === END) return { marker, start, end: start + 2 }
    at = start + 2
    // SOI and TEM have no content.
    if (marker === 0xd8 || marker === 0x01) continue
    const size = await source.read(start + 2, 2)
    if (size.length < 2) return null
    const length = size.readUInt16BE(0)
    if (length < 2) throw new CorruptImage('a JPEG segment shorter than its header')
    return { marker, start, end: Math.min(source.size, start + 2 + length) }
  }
}

type Marker = Pick<Segment, 'marker' | 'start'>

/** Finds the next marker. Restart markers are skipped, because they are part of the encoded data. */
async function findMarker(source: ByteSource, from: number): Promise<Marker | null> {
  for (let at = from; at + 1 < source.size; at += CHUNK_BYTES - 1) {
    const chunk = await source.read(at, CHUNK_BYTES)
    for (let index = chunk.indexOf(0xff); index >= 0 && index + 1 < chunk.length; ) {
      const marker = chunk[index + 1] ?? 0
      const is_marker = marker !== 0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)
      if (is_marker) return { marker, start: at + index }
      index = chunk.indexOf(0xff, index + 1)
    }
  }
  return null
}

async function scanEnd(source: ByteSource, from: number): Promise<number> {
  return (await findMarker(source, from))?.start ?? source.size
}

async function readDisplay(
  source: ByteSource,
  { marker, start, end }: Segment,
  display: Display,
): Promise<void> {
  if (marker !== 0xe0 && marker !== 0xe1 && marker !== 0xe2 && marker !== 0xee) return
  const segment = await source.read(start, end - start)
  const content = segment.subarray(4)
  const starts = (header: Buffer | string) => content.indexOf(header) === 0
  if (marker === 0xe0 && starts('JFIF\0') && segment.length >= JFIF_BYTES) display.jfif ??= segment
  if (marker === 0xee && starts('Adobe') && segment.length >= ADOBE_BYTES) display.adobe ??= segment
  if (marker === 0xe1 && starts(EXIF_HEADER)) display.exif ??= content.subarray(EXIF_HEADER.length)
  if (marker === 0xe2 && starts(ICC_HEADER)) display.profile.push(content.subarray(ICC_HEADER.length))
}

async function writeDisplay({ jfif, adobe, exif, profile }: Display, orientation: number): Promise<Piece[]> {
  const kept = await keepExif(exif, orientation)
  return [
    ...(jfif === null ? [] : [bareJfif(jfif)]),
    ...(kept === null ? [] : [segmentOf(0xe1, EXIF_HEADER, kept)]),
    ...profileSegments(profile),
    ...(adobe === null ? [] : [segmentOf(0xee, adobe.subarray(4, ADOBE_BYTES))]),
  ]
}

/** Returns a JFIF segment with the version, unit and density, but without the thumbnail. */
function bareJfif(segment: Buffer): Buffer {
  return segmentOf(0xe0, segment.subarray(4, JFIF_BYTES - 2), Buffer.alloc(2))
}

/** Encodes a profile in chunks. Each chunk has its one-based number and the total number of chunks. */
function profileSegments(chunks: Buffer[]): Buffer[] {
  if (chunks.length === 0) return []
  const ordered = chunks.toSorted((one, other) => (one[0] ?? 0) - (other[0] ?? 0))
  const profile = keepColorProfile(Buffer.concat(ordered.map((chunk) => chunk.subarray(2))))
  const count = Math.ceil(profile.length / ICC_CHUNK_BYTES)
  return Array.from({ length: count }, (_, index) => {
    const part = profile.subarray(index * ICC_CHUNK_BYTES, (index + 1) * ICC_CHUNK_BYTES)
    return segmentOf(0xe2, ICC_HEADER, Buffer.from([index + 1, count]), part)
  })
}

function segmentOf(marker: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const header = Buffer.from([0xff, marker, 0, 0])
  header.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([header, body])
}
