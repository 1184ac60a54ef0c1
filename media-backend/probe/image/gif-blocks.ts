import { open } from 'node:fs/promises'

const WINDOW_BYTES = 64 * 1024
const HEADER_BYTES = 13
const [EXTENSION, IMAGE] = [0x21, 0x2c]
const IMAGE_HEADER_BYTES = 10

/** Returns the byte at a position, or undefined past the end of the file. */
type ByteAt = (position: number) => Promise<number | undefined>

/**
 * Checks whether a GIF ends within a block, which decoders do not report. A missing trailer after a complete block
 * does not count as truncation, because some encoders omit it.
 */
export async function isTruncatedGif(path: string): Promise<boolean> {
  const file = await open(path)
  let window = { start: 0, data: Buffer.alloc(0) }
  const byteAt: ByteAt = async (position) => {
    const index = position - window.start
    if (index >= 0 && index < window.data.length) return window.data[index]
    const { buffer, bytesRead } = await file.read(Buffer.alloc(WINDOW_BYTES), 0, WINDOW_BYTES, position)
    window = { start: position, data: buffer.subarray(0, bytesRead) }
    return window.data[0]
  }
  try {
    let position: number | null = HEADER_BYTES + paletteBytes((await byteAt(10)) ?? 0)
    for (;;) {
      const type = await byteAt(position)
      if (type !== EXTENSION && type !== IMAGE) return false
      position = type === IMAGE ? await imageEnd(byteAt, position) : await blocksEnd(byteAt, position + 2)
      if (position === null) return true
    }
  } finally {
    await file.close()
  }
}

/** Returns the size of a palette, based on the flags before it. */
function paletteBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

/** Returns the position where a frame ends, or null if the file ends first. */
async function imageEnd(byteAt: ByteAt, position: number): Promise<number | null> {
  const flags = await byteAt(position + IMAGE_HEADER_BYTES - 1)
  if (flags === undefined) return null
  const code_size_bytes = 1
  return blocksEnd(byteAt, position + IMAGE_HEADER_BYTES + paletteBytes(flags) + code_size_bytes)
}

/** Skips length-prefixed blocks through the first empty one. Returns null if the file ends first. */
async function blocksEnd(byteAt: ByteAt, start: number): Promise<number | null> {
  for (let position = start; ; ) {
    const length = await byteAt(position)
    if (length === undefined) return null
    position += 1 + length
    if (length === 0) return position
  }
}
