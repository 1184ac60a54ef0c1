import { open } from 'node:fs/promises'
import { shownDelay } from '../../runtime/shown-delay.ts'

const SIGNATURE_BYTES = 8
/** Offset of a frame's delay, which is a fraction of a second, from the start of its control chunk. */
const DELAY_OFFSET = 28
const DELAY_BYTES = 4
/** More chunks than any encoder writes. Bounds the walk through a file full of empty chunks. */
const CHUNKS_MAX = 100_000

/**
 * Counts the frames of an animated PNG and measures its playing time. Returns null if the file ends before its last
 * chunk.
 */
export async function readPngFrames(path: string): Promise<{ frames: number; duration_ms: number } | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(DELAY_OFFSET + DELAY_BYTES)
    let [frames, duration_ms] = [0, 0]
    let at = SIGNATURE_BYTES
    for (let chunk = 0; chunk < CHUNKS_MAX && at + 12 <= size; chunk += 1) {
      await file.read(head, 0, head.length, at)
      const type = head.toString('latin1', 4, 8)
      if (type === 'IEND') return { frames, duration_ms }
      if (type === 'fcTL') {
        frames += 1
        // A denominator of 0 means 100 (PNG, third edition, 11.3.6.2).
        const delay_ms =
          (1000 * head.readUInt16BE(DELAY_OFFSET)) / (head.readUInt16BE(DELAY_OFFSET + 2) || 100)
        duration_ms += shownDelay(delay_ms)
      }
      at += 12 + head.readUInt32BE(0)
    }
    return null
  } finally {
    await file.close()
  }
}
