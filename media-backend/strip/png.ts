import { constants, crc32, deflateSync, inflateSync } from 'node:zlib'
import { type ByteSource, CorruptImage, type Piece, type Range } from './bytes.ts'
import { keepExif } from './exif.ts'
import { keepColorProfile } from './icc.ts'

export const SIGNATURE_BYTES = 8
export const TEXT_CHUNKS: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt'])
/** Size of a chunk's length, type and checksum. */
const FRAME_BYTES = 12
const DISPLAY_BYTES_MAX = 16 * 1024 * 1024

/** Pixels, palette, transparency, colors, density, background and animation. All other chunks are removed. */
const KEPT = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'sBIT', 'bKGD', 'pHYs'],
  ...['acTL', 'fcTL', 'fdAT'],
])

/**
 * Keeps what a decoder needs from a PNG, and nothing after its end.
 * @param orientation the EXIF orientation, which is kept.
 */
export async function stripPng(source: ByteSource, orientation: number): Promise<Piece[]> {
  const pieces: Piece[] = [{ start: 0, end: SIGNATURE_BYTES }]
  let exif: Buffer | null = null
  let first_pixels: number | null = null
  for await (const { type, start, length } of chunksOf(source)) {
    if (type === 'IEND') break
    const content = () => source.read(start + 8, Math.min(length, DISPLAY_BYTES_MAX))
    // EXIF goes before this chunk, because ffmpeg accepts nothing else between a frame's control chunk and its
    // pixels.
    if (type === 'IDAT' || type === 'fcTL') first_pixels ??= pieces.length
    if (type === 'eXIf') exif = Buffer.from(await content())
    else if (type === 'iCCP') pieces.push(...keepProfile(await content()))
    else if (KEPT.has(type)) pieces.push(wholeChunk({ start, length }))
  }
  if (first_pixels === null) throw new CorruptImage('a PNG without pixels')
  const kept = await keepExif(exif, orientation)
  if (kept !== null) pieces.splice(first_pixels, 0, chunkOf('eXIf', kept))
  return [...pieces, chunkOf('IEND', Buffer.alloc(0))]
}

export interface Chunk {
  type: string
  start: number
  /** Length of the chunk's content. */
  length: number
}

/** Returns the range of a whole chunk in the source. */
export function wholeChunk({ start, length }: Pick<Chunk, 'start' | 'length'>): Range {
  return { start, end: start + FRAME_BYTES + length }
}

/** Iterates over the chunks of a PNG. The last one may be truncated. */
export async function* chunksOf(source: ByteSource): AsyncGenerator<Chunk> {
  for (let at = SIGNATURE_BYTES; at < source.size; ) {
    const head = await source.read(at, 8)
    if (head.length < 8) return
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)]
    yield { type, start: at, length }
    at += FRAME_BYTES + length
  }
}

/**
 * Keeps a color profile, which follows a name, a zero byte and the compression method 0. Drops a corrupt profile,
 * because decoders ignore it.
 */
function keepProfile(content: Buffer): Buffer[] {
  const name_end = content.indexOf(0)
  try {
    const options = { maxOutputLength: DISPLAY_BYTES_MAX, finishFlush: constants.Z_SYNC_FLUSH }
    const profile = inflateSync(content.subarray(name_end + 2), options)
    const name = Buffer.from('icc\0\0', 'latin1')
    return [chunkOf('iCCP', Buffer.concat([name, deflateSync(keepColorProfile(profile))]))]
  } catch {
    return []
  }
}

function chunkOf(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
