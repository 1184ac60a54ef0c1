import type { Run } from '../../runtime/run.ts'
import { readBlock } from './blocks.ts'

/** A byte range of a file. */
export interface Range {
  start: number
  end: number
}

/** A box in an MP4 or QuickTime file. Its content lies between `start` and `end`. ISO 14496-12, 4.2. */
export interface Box extends Range {
  type: string
}

/** Lists the boxes in a byte range. */
export type ListBoxes = (range: Range) => AsyncGenerator<Box>

/** No normal file has more boxes above its sample tables. */
const BOXES_MAX = 5000
const HEADER_BYTES_MAX = 16

/**
 * Opens a local or remote file to walk through its boxes. Reads only the headers it visits, using range requests.
 * Libraries such as mp4box parse the whole index into memory, and an untrusted file can make that index arbitrarily
 * large. All walks combined visit at most BOXES_MAX boxes.
 */
export function openBoxes(path: string, run: Run): ListBoxes {
  let block = { start: 0, bytes: Buffer.from([]) }
  let visits = 0

  const readHeader = async (at: number): Promise<Buffer> => {
    const is_near = at >= block.start && at + HEADER_BYTES_MAX <= block.start + block.bytes.length
    if (!is_near) block = { start: at, bytes: Buffer.from(await readBlock(at, path, run)) }
    return block.bytes.subarray(at - block.start, at - block.start + HEADER_BYTES_MAX)
  }

  return async function* listBoxes({ start, end }) {
    let at = start
    while (at + 8 <= end && visits < BOXES_MAX) {
      visits += 1
      const box = readBox(await readHeader(at), at, end)
      if (box === null) return
      yield box
      at = box.end
    }
  }
}

/** Parses a box header. Returns null if the header is incomplete or declares a box smaller than the header itself. */
function readBox(header: Buffer, at: number, end: number): Box | null {
  if (header.length < 8) return null
  const declared_size = header.readUInt32BE(0)
  const is_long = declared_size === 1 && header.length === HEADER_BYTES_MAX
  const size = is_long ? Number(header.readBigUInt64BE(8)) : declared_size
  const header_bytes = is_long ? HEADER_BYTES_MAX : 8
  const type = header.toString('latin1', 4, 8)
  // A size of 0 means that the box extends to the end of the file.
  if (size === 0) return { type, start: at + header_bytes, end }
  return size < header_bytes ? null : { type, start: at + header_bytes, end: Math.min(at + size, end) }
}
