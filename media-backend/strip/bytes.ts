import { type FileHandle, open } from 'node:fs/promises'

/** Random access to the bytes of a file, or to a part of it in memory. */
export interface ByteSource {
  size: number
  /** Reads `length` bytes at `start`. Returns fewer at the end of the source. */
  read(start: number, length: number): Promise<Buffer>
}

export interface Range {
  start: number
  end: number
}

/** A piece of the output: new bytes, a range of the source, or a run of zeros. */
export type Piece = Buffer | Range | { zeros: number }

const CHUNK_BYTES = 1024 * 1024

export function bufferSource(buffer: Buffer): ByteSource {
  return {
    size: buffer.length,
    read: async (start, length) => buffer.subarray(start, Math.min(buffer.length, start + length)),
  }
}

/** Opens a file, derives pieces from it, and writes them to another file. */
export async function rewriteFile(
  input: string,
  output: string,
  signal: AbortSignal,
  derive: (source: ByteSource) => Promise<Piece[]>,
): Promise<void> {
  await readSource(input, signal, async (source) => {
    const pieces = await derive(source)
    const written = await open(output, 'w')
    try {
      await writePieces(source, pieces, written)
    } finally {
      await written.close()
    }
  })
}

/** Opens a file, passes it to a reader, and closes it. */
export async function readSource(
  path: string,
  signal: AbortSignal,
  read: (source: ByteSource) => Promise<void>,
): Promise<void> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    await read(fileSource(file, size, signal))
  } finally {
    await file.close()
  }
}

/** Reads ahead. Parsers request only a few bytes at a time, so one larger read serves many requests. */
function fileSource(file: FileHandle, size: number, signal: AbortSignal): ByteSource {
  let ahead: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }
  return {
    size,
    async read(start, requested) {
      // Without this limit, the bytes read ahead could never satisfy a request past the end of the file.
      const length = Math.max(0, Math.min(requested, size - start))
      if (length > CHUNK_BYTES) return readBytes(file, start, length, signal)
      const has = () => start >= ahead.start && start + length <= ahead.start + ahead.bytes.length
      if (!has()) ahead = { start, bytes: await readBytes(file, start, CHUNK_BYTES, signal) }
      return ahead.bytes.subarray(start - ahead.start, start - ahead.start + length)
    },
  }
}

async function readBytes(
  file: FileHandle,
  start: number,
  length: number,
  signal: AbortSignal,
): Promise<Buffer> {
  signal.throwIfAborted()
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, start)
  return buffer.subarray(0, bytesRead)
}

/**
 * Combines small pieces into larger writes, because there may be hundreds of thousands of pieces with only a few
 * bytes each.
 */
async function writePieces(source: ByteSource, pieces: readonly Piece[], output: FileHandle): Promise<void> {
  let pending: Buffer[] = []
  let bytes = 0
  const flush = async () => {
    await output.writeFile(Buffer.concat(pending))
    pending = []
    bytes = 0
  }
  for (const piece of pieces) {
    for await (const part of partsOf(source, piece)) {
      pending.push(part)
      bytes += part.length
      if (bytes >= CHUNK_BYTES) await flush()
    }
  }
  await flush()
}

async function* partsOf(source: ByteSource, piece: Piece): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(piece)) return yield piece
  const [start, end] = 'zeros' in piece ? [0, piece.zeros] : [piece.start, Math.min(piece.end, source.size)]
  for (let at = start; at < end; at += CHUNK_BYTES) {
    const length = Math.min(CHUNK_BYTES, end - at)
    yield 'zeros' in piece ? Buffer.alloc(length) : await source.read(at, length)
  }
}

/** Thrown if the structure of a file contradicts its format or uses an unsupported part of it. */
export class CorruptImage extends Error {}
