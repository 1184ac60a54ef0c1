import type { Run } from '../../runtime/run.ts'
import { readBlock } from '../bytes/blocks.ts'
import { hasSamplesBeyondEnd } from './sample-offsets.ts'

/**
 * Enough for the index, the media data and the boxes that writers add around them. Fragmented files have more boxes
 * but declare no duration in advance.
 */
const BOXES_MAX = 16

/** Boxes that can come first in a QuickTime or MP4 file. */
const FIRST_BOXES = ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot']

/** Boxes that can be so large that a file may end inside one. */
const LARGE_BOXES = ['moov', 'mdat', 'free', 'skip', 'wide']

/**
 * Checks whether a file ends earlier than its header says, as an incomplete upload does. The declared duration is
 * then wrong. Supports QuickTime, MP4, Matroska, WebM and Flash.
 */
export async function isTruncated(path: string, size_bytes: number, run: Run): Promise<boolean> {
  const read = (start: number) => readBlock(start, path, run)
  const first = await read(0)
  if (first.toString('latin1', 0, 3) === 'FLV') return !(await endsWithTag(size_bytes, read))
  const has_boxes = FIRST_BOXES.includes(first.toString('latin1', 4, 8))
  const end = has_boxes ? await boxesEnd(size_bytes, read) : segmentEnd(first)
  if (end !== null && end > size_bytes) return true
  return has_boxes && hasSamplesBeyondEnd(size_bytes, path, run)
}

type Read = (start: number) => Promise<Buffer>

/** Size of a tag header: type, size, time and stream ID. */
const TAG_HEADER_BYTES = 11

/**
 * Checks whether a Flash file ends with a complete tag. Each tag is followed by its size. The last size points back
 * to the header of the last tag, which repeats the size.
 */
async function endsWithTag(size_bytes: number, read: Read): Promise<boolean> {
  const tail = await read(Math.max(0, size_bytes - 4))
  const size = tail.length < 4 ? 0 : tail.readUInt32BE(0)
  const start = size_bytes - 4 - size
  if (size < TAG_HEADER_BYTES || start < 0) return false
  const header = await read(start)
  return header.length >= 4 && header.readUIntBE(1, 3) === size - TAG_HEADER_BYTES
}

/**
 * Returns where the last box that starts in the file ends, or null if that cannot be determined. ISO 14496-12, 4.2.
 */
async function boxesEnd(size_bytes: number, read: Read): Promise<number | null> {
  let end = 0
  for (let count = 0; count < BOXES_MAX; count += 1) {
    const header = await read(end)
    if (header.length < 16) return end
    const declared_size = header.readUInt32BE(0)
    const size = declared_size === 1 ? Number(header.readBigUInt64BE(8)) : declared_size
    // A size of 0 means that the box extends to the end of the file. Other sizes below 8 are invalid.
    if (size < 8) return null
    end += size
    // Any data may follow the last box.
    if (end > size_bytes) return LARGE_BOXES.includes(header.toString('latin1', 4, 8)) ? end : null
    if (end === size_bytes) return end
  }
  return null
}

const EBML_HEADER = 0x1a45dfa3
const SEGMENT = 0x18538067

/**
 * Returns where the segment ends, or null if its size is unknown. The segment holds everything except the first
 * bytes of the file. RFC 8794.
 */
function segmentEnd(bytes: Buffer): number | null {
  const header = readElement(bytes, 0)
  if (header?.id !== EBML_HEADER || header.size === null) return null
  const segment = readElement(bytes, header.start + header.size)
  return segment?.id === SEGMENT && segment.size !== null ? segment.start + segment.size : null
}

/** Parses an element that has a four-byte ID. Its content starts at `start`. */
function readElement(bytes: Buffer, at: number): { id: number; start: number; size: number | null } | null {
  const width = Math.clz32(bytes[at + 4] ?? 0) - 23
  if (width > 8 || bytes.length < at + 4 + width) return null
  const digits = bytes.subarray(at + 4, at + 4 + width)
  const all = BigInt(`0x${digits.toString('hex')}`)
  const value = all & ((1n << BigInt(7 * width)) - 1n)
  const is_unknown = value === (1n << BigInt(7 * width)) - 1n
  return { id: bytes.readUInt32BE(at), start: at + 4 + width, size: is_unknown ? null : Number(value) }
}
