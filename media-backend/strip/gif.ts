import { type ByteSource, CorruptImage, type Piece } from './bytes.ts'

const HEADER_BYTES = 13
const TRAILER = 0x3b
const EXTENSION = 0x21
const IMAGE = 0x2c
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff
/** Size of an application's name and authentication code. */
const NAME_BYTES = 11
const IMAGE_BYTES = 10
/** Extensions that contain the loop count or the color profile. */
const KEPT_APPLICATIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']

/** Keeps the frames, timing, loop count and color profile of a GIF, and removes all other extensions. */
export async function stripGif(source: ByteSource): Promise<Piece[]> {
  const header = await source.read(0, HEADER_BYTES)
  if (header.length < HEADER_BYTES) throw new CorruptImage('a GIF without a header')
  let at = HEADER_BYTES + paletteBytes(header[10] ?? 0)
  const pieces: Piece[] = [{ start: 0, end: at }]
  while (at < source.size) {
    const block = await source.read(at, 3 + NAME_BYTES)
    const kind = block[0] ?? TRAILER
    if (kind === TRAILER) break
    if (kind !== EXTENSION && kind !== IMAGE) {
      // Decoders skip stray bytes between blocks.
      at += 1
      continue
    }
    const data_at = kind === IMAGE ? imageData(at, block) : at + 2
    const end = await subBlocksEnd(source, data_at)
    if (kind === IMAGE || isKept(block)) pieces.push({ start: at, end })
    at = end
  }
  return [...pieces, Buffer.from([TRAILER])]
}

function paletteBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

/** Returns the position of a frame's data, which follows the optional palette and the initial code size. */
function imageData(at: number, block: Buffer): number {
  return at + IMAGE_BYTES + paletteBytes(block[9] ?? 0) + 1
}

function isKept(block: Buffer): boolean {
  if (block[1] === GRAPHIC_CONTROL) return true
  return block[1] === APPLICATION && KEPT_APPLICATIONS.includes(block.toString('latin1', 3, 3 + NAME_BYTES))
}

async function subBlocksEnd(source: ByteSource, from: number): Promise<number> {
  for (let at = from; at < source.size; ) {
    const [length = 0] = await source.read(at, 1)
    at += 1 + length
    if (length === 0) return at
  }
  return source.size
}
