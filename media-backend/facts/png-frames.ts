import { open } from 'node:fs/promises'

const SIGNATURE_BYTES = 8
/** More than any encoder writes: a file of empty chunks is not walked through to its end. */
const CHUNKS_MAX = 100_000

/** Counts the frames that are in an animated PNG; null where the file ends before its last chunk. */
export async function countPngFrames(path: string): Promise<number | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const header = Buffer.alloc(8)
    let frames = 0
    let at = SIGNATURE_BYTES
    for (let chunk = 0; chunk < CHUNKS_MAX && at + 12 <= size; chunk += 1) {
      await file.read(header, 0, 8, at)
      const type = header.toString('latin1', 4, 8)
      if (type === 'IEND') return frames
      if (type === 'fcTL') frames += 1
      at += 12 + header.readUInt32BE(0)
    }
    return null
  } finally {
    await file.close()
  }
}
