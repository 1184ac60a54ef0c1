import { type ByteSource, CorruptImage, type Piece } from './bytes.ts'
import { keepExif } from './exif.ts'
import { keepColorProfile } from './icc.ts'

const RIFF_BYTES = 12
const HEAD_BYTES = 8
/** Size of a frame's position, dimensions, duration and mode. */
const FRAME_HEAD_BYTES = 16
const EXIF_FLAG = 0x08
const XMP_FLAG = 0x04
const PIXELS = new Set(['VP8 ', 'VP8L', 'ALPH'])
const DISPLAY_BYTES_MAX = 16 * 1024 * 1024

interface Chunk {
  type: string
  start: number
  length: number
}

/**
 * Keeps the pixels, frames, color profile and playback settings of a WebP, and removes all other chunks.
 * @param orientation the EXIF orientation, which is kept.
 */
export async function stripWebp(source: ByteSource, orientation: number): Promise<Piece[]> {
  const riff = await source.read(0, RIFF_BYTES)
  if (riff.length < RIFF_BYTES) throw new CorruptImage('a WebP without a header')
  const chunks = await chunksIn(source, RIFF_BYTES, Math.min(source.size, riff.readUInt32LE(4) + HEAD_BYTES))
  const contentOf = async (wanted: string) => {
    const found = chunks.find(({ type }) => type === wanted)
    if (found === undefined) return null
    return Buffer.from(await source.read(found.start + HEAD_BYTES, Math.min(found.length, DISPLAY_BYTES_MAX)))
  }
  const [header, exif] = [await contentOf('VP8X'), await contentOf('EXIF')]
  const kept = header === null ? null : await keepExif(exif && bareExif(exif), orientation)
  const pieces: Piece[] = header === null ? [] : chunkOf('VP8X', [flagged(header, kept !== null)])
  for (const chunk of chunks) {
    if (chunk.type === 'ICCP')
      pieces.push(...chunkOf('ICCP', [keepColorProfile((await contentOf('ICCP')) ?? Buffer.alloc(0))]))
    else if (chunk.type === 'ANMF') pieces.push(...(await keepFrame(source, chunk)))
    else if (chunk.type === 'ANIM' || PIXELS.has(chunk.type)) pieces.push(...wholeChunk(chunk))
  }
  if (kept !== null) pieces.push(...chunkOf('EXIF', [kept]))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(4 + bytesOf(pieces))
  return [Buffer.from('RIFF'), size, Buffer.from('WEBP'), ...pieces]
}

async function chunksIn(source: ByteSource, from: number, end: number): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for (let at = from; at + HEAD_BYTES <= end; ) {
    const head = await source.read(at, HEAD_BYTES)
    const length = Math.min(head.readUInt32LE(4), end - at - HEAD_BYTES)
    chunks.push({ type: head.toString('latin1', 0, 4), start: at, length })
    at += HEAD_BYTES + length + (length % 2)
  }
  return chunks
}

async function keepFrame(source: ByteSource, { start, length }: Chunk): Promise<Piece[]> {
  const from = start + HEAD_BYTES + FRAME_HEAD_BYTES
  const parts = await chunksIn(source, from, start + HEAD_BYTES + length)
  const pixels = parts.filter(({ type }) => PIXELS.has(type)).flatMap(wholeChunk)
  return chunkOf('ANMF', [{ start: start + HEAD_BYTES, end: from }, ...pixels])
}

/** Removes a prefix that belongs in a JPEG but that some programs write here too. */
function bareExif(exif: Buffer): Buffer {
  return exif.indexOf('Exif\0\0', 0, 'latin1') === 0 ? exif.subarray(6) : exif
}

function flagged(header: Buffer, has_exif: boolean): Buffer {
  const flags = (header[0] ?? 0) & ~(EXIF_FLAG | XMP_FLAG)
  return Buffer.concat([Buffer.from([has_exif ? flags | EXIF_FLAG : flags]), header.subarray(1, 10)])
}

function wholeChunk({ type, start, length }: Chunk): Piece[] {
  return chunkOf(type, [{ start: start + HEAD_BYTES, end: start + HEAD_BYTES + length }])
}

/** Encodes a chunk. A chunk of odd length is followed by a zero byte that the length does not include. */
function chunkOf(type: string, content: Piece[]): Piece[] {
  const length = bytesOf(content)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(length)
  return [Buffer.from(type, 'latin1'), size, ...content, Buffer.alloc(length % 2)]
}

function bytesOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => {
    if (Buffer.isBuffer(piece)) return sum + piece.length
    return sum + ('zeros' in piece ? piece.zeros : piece.end - piece.start)
  }, 0)
}
