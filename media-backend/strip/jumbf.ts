import { type ByteSource, type Piece, readSource, rewriteFile } from './bytes.ts'
import { type Segment, SOI, segmentsOf } from './jpeg.ts'

const APP11 = 0xeb
const HEADER = Buffer.from('JP', 'latin1')
/** Position after the header, box number and sequence number. */
const SEQUENCE_AT = 8

/**
 * Copies a JPEG without those JUMBF segments (ISO/IEC 19566-5) whose sequence number exceeds the number of
 * segments, because exiftool reserves memory for all numbers up to it.
 * @returns false if there are no such segments. Nothing is written then.
 */
export async function dropCorruptJumbf(path: string, output: string, signal: AbortSignal): Promise<boolean> {
  let corrupt: Segment[] = []
  await readSource(path, signal, async (source) => {
    corrupt = await findCorrupt(source)
  })
  if (corrupt.length === 0) return false
  await rewriteFile(path, output, signal, async ({ size }): Promise<Piece[]> => {
    const starts = [0, ...corrupt.map(({ end }) => end)]
    const ends = [...corrupt.map(({ start }) => start), size]
    return starts.map((start, index) => ({ start, end: ends[index] ?? size }))
  })
  return true
}

async function findCorrupt(source: ByteSource): Promise<Segment[]> {
  if (!(await source.read(0, SOI.length)).equals(SOI)) return []
  const found: { segment: Segment; sequence: number }[] = []
  for await (const segment of segmentsOf(source)) {
    if (segment.marker !== APP11) continue
    const content = await source.read(segment.start + 4, SEQUENCE_AT)
    if (content.length < SEQUENCE_AT || !content.subarray(0, HEADER.length).equals(HEADER)) continue
    found.push({ segment, sequence: content.readUInt32BE(SEQUENCE_AT - 4) })
  }
  return found.filter(({ sequence }) => sequence > found.length).map(({ segment }) => segment)
}
