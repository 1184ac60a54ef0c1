import { open } from 'node:fs/promises'

/** The header of the file, of its first chunk VP8X with the flags, and of the chunk VP8L with its first bytes. */
const HEAD_BYTES = 64
const FLAGS_OFFSET = 20
const ALPHA_FLAG = 0x10
const CHUNK_HEAD_BYTES = 8
/** The alpha bit of VP8L follows a signature and two sides of 14 bits. */
const [ALPHA_OFFSET, ALPHA_BIT] = [4, 0x10]

/** Declares the transparency of a lossless WebP, which exiftool omits where it adds the chunk VP8X. */
export async function declareAlpha(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { buffer: head } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    if (head.toString('latin1', 12, 16) !== 'VP8X') return
    const pixels = head.indexOf('VP8L', FLAGS_OFFSET, 'latin1')
    const at = pixels + CHUNK_HEAD_BYTES + ALPHA_OFFSET
    if (pixels < 0 || at >= head.length || (head.readUInt8(at) & ALPHA_BIT) === 0) return
    await file.write(Buffer.from([head.readUInt8(FLAGS_OFFSET) | ALPHA_FLAG]), 0, 1, FLAGS_OFFSET)
  } finally {
    await file.close()
  }
}
