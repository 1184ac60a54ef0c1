import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import { failWith, type JobFailure } from '../../runtime/failure.ts'

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const HEADER_BYTES = 8
const CHECKSUM_BYTES = 4
/** Size of the windows in which chunk headers are read. Image data often comes in chunks of only 8 KB. */
const WINDOW_BYTES = 64 * 1024
/** Maximum total size of all text, EXIF and profiles after inflation. */
const METADATA_BYTES_MAX = 32 * 1024 ** 2
const METADATA_CHUNKS_MAX = 10_000

/** Chunks that contain metadata. In compressed chunks, a name and flags precede the data. */
const METADATA: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt', 'iCCP'])
/**
 * Drafts of the standard allowed compressed EXIF, in a separate chunk or after a zero byte. exiftool reads both and
 * ignores the case of the chunk type.
 */
const EXIF = /^(eXIf|zxIf)$/i
const COMPRESSED_EXIF = /^(Exif\0\0)?\0/
/** Size of the field that precedes compressed EXIF and states its inflated size. */
const COMPRESSED_EXIF_HEAD_BYTES = 4
const IMAGE_DATA: ReadonlySet<string> = new Set(['IDAT', 'fdAT', 'fcTL'])

interface Chunk {
  type: string
  /** Position of the chunk's data in the file. */
  position: number
  length: number
}

/**
 * Refuses a PNG with more metadata than any program should hold in memory. Accepts other files. A 500 KB chunk can
 * inflate to 500 MB, and exiftool inflates every chunk.
 * @throws JobFailure input_too_large
 */
export async function checkPngMetadata(path: string): Promise<void> {
  const file = await open(path)
  try {
    let [bytes, chunks] = [0, 0]
    for await (const chunk of readChunks(file)) {
      if (IMAGE_DATA.has(chunk.type)) continue
      chunks += 1
      if (METADATA.has(chunk.type) || EXIF.test(chunk.type))
        bytes += await measureChunk(file, chunk, METADATA_BYTES_MAX - bytes)
      if (bytes > METADATA_BYTES_MAX || chunks > METADATA_CHUNKS_MAX) throw tooLarge()
    }
  } finally {
    await file.close()
  }
}

/** Lists the chunks of a PNG in order, up to the end of the file. Lists none for other files. */
async function* readChunks(file: FileHandle): AsyncGenerator<Chunk> {
  const { size } = await file.stat()
  let window = { start: 0, data: await readAt(file, 0, WINDOW_BYTES) }
  if (!window.data.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return
  for (let at = SIGNATURE.length; at + HEADER_BYTES <= size; ) {
    if (at + HEADER_BYTES > window.start + window.data.length)
      window = { start: at, data: await readAt(file, at, WINDOW_BYTES) }
    const header = window.data.subarray(at - window.start)
    if (header.length < HEADER_BYTES) return
    const length = header.readUInt32BE(0)
    const position = at + HEADER_BYTES
    yield {
      type: header.toString('latin1', 4, HEADER_BYTES),
      position,
      length: Math.min(length, size - position),
    }
    at = position + length + CHECKSUM_BYTES
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Measures the inflated size of a chunk. Stops shortly after `bytes_max`. */
async function measureChunk(file: FileHandle, chunk: Chunk, bytes_max: number): Promise<number> {
  const start = await findCompressed(file, chunk)
  if (start === null) return chunk.length
  const data = file.createReadStream({
    start,
    end: chunk.position + chunk.length - 1,
    autoClose: false,
  })
  let bytes = 0
  // Corrupt data ends the count, because exiftool skips what it cannot inflate.
  await pipeline(data, createInflate(), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      bytes += piece.length
      if (bytes > bytes_max) return
    }
  }).catch(() => undefined)
  return Math.max(bytes, chunk.length)
}

/** Returns where the compressed data of a chunk starts, or null if it has none. */
async function findCompressed(file: FileHandle, { type, position, length }: Chunk): Promise<number | null> {
  if (type === 'tEXt') return null
  const head = await readAt(file, position, Math.min(length, WINDOW_BYTES))
  if (EXIF.test(type)) {
    const [zero] = COMPRESSED_EXIF.exec(head.toString('latin1', 0, 8)) ?? []
    const head_bytes = (zero?.length ?? 0) + COMPRESSED_EXIF_HEAD_BYTES
    return zero === undefined || head_bytes >= length ? null : position + head_bytes
  }
  const name_end = head.indexOf(0)
  if (name_end < 0) return null
  // The compression method follows the name.
  if (type !== 'iTXt') return name_end + 2 < length ? position + name_end + 2 : null
  if (head[name_end + 1] !== 1) return null
  // A flag, a method, the language and the translated keyword follow the name.
  const language_end = head.indexOf(0, name_end + 3)
  const start = language_end < 0 ? -1 : head.indexOf(0, language_end + 1)
  return start < 0 || start + 1 >= length ? null : position + start + 1
}

function tooLarge(): JobFailure {
  const megabytes = METADATA_BYTES_MAX / 1024 ** 2
  return failWith('png_metadata_too_large', { megabytes, chunks: METADATA_CHUNKS_MAX })
}
