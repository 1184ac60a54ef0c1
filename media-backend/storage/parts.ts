import { type FileHandle, open } from 'node:fs/promises'
import type { ByteRange } from './storage.ts'

/** Unit of downloads, equal to the size of ffmpeg's reads. */
export const BLOCK_BYTES = 32 * 1024
/** Maximum size of a single read. */
const PIECE_BYTES_MAX = 256 * 1024

export interface Parts {
  /**
   * Reads from `position`: at least one byte and at most `length` bytes. Fetches the missing bytes up to the next
   * block that is already present.
   */
  read(position: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

/**
 * Opens a large object for partial reads. Fetches each block at most once and keeps it in a sparse file, so ffprobe
 * and all ffmpeg inputs share one download.
 */
export async function openParts(
  path: string,
  size_bytes: number,
  fetchRange: (range: ByteRange) => Promise<Buffer>,
): Promise<Parts> {
  const file = await open(path, 'wx+', 0o600)
  const blocks = Math.ceil(size_bytes / BLOCK_BYTES)
  const present = new Uint8Array(blocks)
  // Fetches run one at a time, so a block that two readers request concurrently is fetched only once.
  let turn: Promise<unknown> = Promise.resolve()

  const fill = async (block: number, last: number) => {
    if (present[block] === 1) return
    const end = absentEnd(present, block, last)
    const start = block * BLOCK_BYTES
    const bytes = await fetchRange({ start, length: Math.min(size_bytes, end * BLOCK_BYTES) - start })
    await file.write(bytes, 0, bytes.length, start)
    present.fill(1, block, end)
  }
  return {
    async read(position, length) {
      const block = Math.floor(position / BLOCK_BYTES)
      const filled = turn.then(() => fill(block, Math.ceil((position + length) / BLOCK_BYTES)))
      turn = filled.catch(() => undefined)
      await filled
      const end = Math.min(
        size_bytes,
        presentEnd(present, block) * BLOCK_BYTES,
        position + Math.min(length, PIECE_BYTES_MAX),
      )
      return readBytes(file, position, end - position)
    },
    async close() {
      await turn
      await file.close()
    },
  }
}

function absentEnd(present: Uint8Array, block: number, last: number): number {
  const next = present.subarray(block, last).indexOf(1)
  return next === -1 ? last : block + next
}

function presentEnd(present: Uint8Array, block: number): number {
  const next = present.indexOf(0, block)
  return next === -1 ? present.length : next
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
