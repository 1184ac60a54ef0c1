import { open } from 'node:fs/promises'

/** The parts of a file that describe an animation are smaller, whatever its frames are. */
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

/** Reads the first top-level box of this type in an ISO base media file; empty where there is none. */
export async function readBox(path: string, wanted: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { size: end } = await file.stat()
    for (let at = 0; at + 8 <= end; ) {
      const { buffer: header } = await file.read(Buffer.alloc(16), 0, 16, at)
      const size = header.readUInt32BE(0)
      const length = size === 1 ? Number(header.readBigUInt64BE(8)) : size
      if (header.toString('latin1', 4, 8) === wanted) {
        const bytes = Math.min(length === 0 ? end - at : length, PART_BYTES_MAX)
        const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at)
        return buffer.subarray(0, bytesRead)
      }
      if (length < 8) break
      at += length
    }
    return Buffer.alloc(0)
  } finally {
    await file.close()
  }
}
