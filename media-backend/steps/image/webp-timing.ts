import { open } from 'node:fs/promises'

const RIFF_BYTES = 12
const HEAD_BYTES = 8
/** Offset of the frame duration within its chunk. The duration takes up three bytes and is in milliseconds. */
const DURATION_OFFSET = 12
const DURATION_BYTES = 3
const DURATION_MS_MAX = 2 ** 24 - 1

/** Sets the duration of the last frame of an animated WebP, because ffmpeg does not pass it to the encoder. */
export async function setTotalDuration(path: string, duration_ms: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    let [before_ms, last_ms, last_at] = [0, 0, -1]
    for (let at = RIFF_BYTES; at + HEAD_BYTES <= size; ) {
      const { buffer: head } = await file.read(Buffer.alloc(HEAD_BYTES + 16), 0, HEAD_BYTES + 16, at)
      const length = head.readUInt32LE(4)
      if (head.toString('latin1', 0, 4) === 'ANMF') {
        before_ms += last_ms
        last_at = at + HEAD_BYTES + DURATION_OFFSET
        last_ms = head.readUIntLE(HEAD_BYTES + DURATION_OFFSET, DURATION_BYTES)
      }
      at += HEAD_BYTES + length + (length % 2)
    }
    const rest_ms = Math.min(DURATION_MS_MAX, Math.round(duration_ms - before_ms))
    if (last_at < 0 || rest_ms <= 0) return
    const bytes = Buffer.alloc(DURATION_BYTES)
    bytes.writeUIntLE(rest_ms, 0, DURATION_BYTES)
    await file.write(bytes, 0, DURATION_BYTES, last_at)
  } finally {
    await file.close()
  }
}
