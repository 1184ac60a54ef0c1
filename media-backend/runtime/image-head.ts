import { open } from 'node:fs/promises'

/** The parts of a file that describe an animation are smaller than this, regardless of the number of frames. */
const PART_BYTES_MAX = 1024 ** 2

/** Reads the start of a file. */
export async function readHead(path: string, length = PART_BYTES_MAX): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Reads the first top-level box of a type in an ISO base media file. Returns an empty buffer if there is none. */
export async function readBox(path: string, wanted: string): Promise<Buffer> {
  const found = await findBox(path, wanted)
  if (found === null) return Buffer.alloc(0)
  const file = await open(path)
  try {
    const bytes = Math.min(found.length, PART_BYTES_MAX)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, found.start)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Checks whether the file ends before the end of its declared media data. */
export async function isMediaTruncated(path: string): Promise<boolean> {
  const found = await findBox(path, 'mdat')
  return found !== null && found.start + found.length > found.file_bytes
}

async function findBox(
  path: string,
  wanted: string,
): Promise<{ start: number; length: number; file_bytes: number } | null> {
  const file = await open(path)
  try {
    const { size: end } = await file.stat()
    for (let at = 0; at + 8 <= end; ) {
      const { buffer: header } = await file.read(Buffer.alloc(16), 0, 16, at)
      const size = header.readUInt32BE(0)
      const declared = size === 1 ? Number(header.readBigUInt64BE(8)) : size
      const length = declared === 0 ? end - at : declared
      if (header.toString('latin1', 4, 8) === wanted) return { start: at, length, file_bytes: end }
      if (length < 8) break
      at += length
    }
    return null
  } finally {
    await file.close()
  }
}
