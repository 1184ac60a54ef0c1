import { type ByteSource, type Piece, readSource, rewriteFile } from './bytes.ts'
import { isPlaceName } from './places.ts'
import { type Chunk, chunksOf, SIGNATURE_BYTES, TEXT_CHUNKS, wholeChunk } from './png.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Size of the signature and IHDR, which precede all other chunks. */
const START_BYTES = 33
const KEYWORD_BYTES_MAX = 80
/** EXIF, XMP and IPTC stored as text, which exiftool copies. */
const COPIED = /^(Raw profile type|XML:com\.adobe\.xmp)/i
/**
 * Keywords written by cameras and programs, including those under which programs repeat EXIF or file data as text.
 */
const OF_DEVICE =
  /^(Make|Model|Source|Warning|Thumb::.*|(exif|tiff|xmp\w*|png|jpeg|icc|date|aux|camera):.*)$|Software|Serial|Lens|Camera|Device|Firmware|Host ?Computer|CreatorTool/i

/** Kinds of text to copy. */
export interface TextParts {
  place: boolean
  device: boolean
}

/**
 * Copies a PNG and adds the text and the last modification time of another one. Copies whole chunks, because
 * exiftool writes only the keywords it knows.
 * @param parts kinds of text to copy in addition to all other text.
 */
export async function copyPngText(
  { from, to, output }: { from: string; to: string; output: string },
  parts: TextParts,
  signal: AbortSignal,
): Promise<void> {
  const texts = await readTexts(from, parts, signal)
  await rewriteFile(to, output, signal, async ({ size }): Promise<Piece[]> => {
    return [{ start: 0, end: START_BYTES }, ...texts, { start: START_BYTES, end: size }]
  })
}

/** Reads the text chunks. Returns an empty list if the file is not a PNG. */
async function readTexts(path: string, parts: TextParts, signal: AbortSignal): Promise<Buffer[]> {
  const texts: Buffer[] = []
  await readSource(path, signal, async (source) => {
    if (!(await source.read(0, SIGNATURE_BYTES)).equals(SIGNATURE)) return
    for await (const chunk of chunksOf(source)) {
      const { start, end } = wholeChunk(chunk)
      if (chunk.type === 'IEND' || end > source.size) return
      if (await isCopied(source, chunk, parts)) texts.push(Buffer.from(await source.read(start, end - start)))
    }
  })
  return texts
}

async function isCopied(
  source: ByteSource,
  { type, start, length }: Chunk,
  { place, device }: TextParts,
): Promise<boolean> {
  if (type === 'tIME') return true
  if (!TEXT_CHUNKS.has(type)) return false
  const head = await source.read(start + 8, Math.min(length, KEYWORD_BYTES_MAX))
  const [keyword = ''] = head.toString('latin1').split('\0')
  if (COPIED.test(keyword)) return false
  return (place || !isPlaceName(keyword)) && (device || !OF_DEVICE.test(keyword))
}
