/** One frame of an animated WebP. It replaces the pixels of earlier frames. */
export interface WebpFrame {
  /** A still WebP file that contains this part of the canvas. */
  file: Buffer
  /** `left` and `top` are even. */
  left: number
  top: number
  width: number
  height: number
  duration_ms: number
}

interface Canvas {
  width: number
  height: number
  /** Number of loops; 0 means forever. */
  loop: number
}

const RIFF_BYTES = 12
const PIXELS: ReadonlySet<string> = new Set(['ALPH', 'VP8 ', 'VP8L'])
const [ANIMATION_FLAG, ALPHA_FLAG] = [0x02, 0x10]
const NO_BLENDING = 0x02
const DURATION_MS_MAX = 2 ** 24 - 1

/** Combines still images into an animated WebP. */
export function joinWebpFrames(frames: readonly WebpFrame[], { width, height, loop }: Canvas): Buffer {
  const header = Buffer.alloc(10)
  const bodies = frames.map(({ file }) => pixelChunks(file))
  // Lossless pixel data includes transparency.
  const has_alpha = bodies.some((body) => body.toString('latin1', 0, 4) !== 'VP8 ')
  header[0] = ANIMATION_FLAG | (has_alpha ? ALPHA_FLAG : 0)
  header.writeUIntLE(width - 1, 4, 3)
  header.writeUIntLE(height - 1, 7, 3)
  const animation = Buffer.alloc(6)
  animation.writeUInt16LE(loop, 4)
  const parts = frames.map((frame, index) => {
    const body = bodies[index] ?? Buffer.alloc(0)
    return chunk('ANMF', Buffer.concat([frameHeader(frame), body]))
  })
  return chunk(
    'RIFF',
    Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', header), chunk('ANIM', animation), ...parts]),
  )
}

function frameHeader({ left, top, width, height, duration_ms }: WebpFrame): Buffer {
  const header = Buffer.alloc(16)
  header.writeUIntLE(left / 2, 0, 3)
  header.writeUIntLE(top / 2, 3, 3)
  header.writeUIntLE(width - 1, 6, 3)
  header.writeUIntLE(height - 1, 9, 3)
  header.writeUIntLE(Math.min(DURATION_MS_MAX, duration_ms), 12, 3)
  header[15] = NO_BLENDING
  return header
}

/** Returns only those chunks of a still WebP that a frame needs. */
function pixelChunks(file: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = RIFF_BYTES; at + 8 <= file.length; ) {
    const length = file.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (PIXELS.has(file.toString('latin1', at, at + 4))) chunks.push(file.subarray(at, end))
    at = end
  }
  return Buffer.concat(chunks)
}

function chunk(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}
