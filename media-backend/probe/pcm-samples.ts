import type { Run } from '../runtime/run.ts'
import { readBlock } from './bytes/blocks.ts'
import { type Box, type ListBoxes, openBoxes, type Range } from './bytes/boxes.ts'
import type { Stream } from './ffprobe.ts'

/**
 * Boxes from the file to the sample entry. `header_bytes` counts the bytes before the child boxes. ISO 14496-12,
 * 8.5.2 and 12.2.3.
 */
const PATH = [
  ...(['moov', 'trak', 'mdia', 'minf', 'stbl'] as const).map((type) => ({ type, header_bytes: 0 })),
  { type: 'stsd', header_bytes: 8 },
  { type: 'ipcm', header_bytes: 28 },
  { type: 'pcmC', header_bytes: 0 },
]

/** Offset of the number of bits per sample. The version, flags and format flags precede it. ISO/IEC 23003-5. */
const BITS_OFFSET = 5

/**
 * Checks whether ffmpeg reads PCM samples in MP4 with the wrong size. Before version 7, ffmpeg assumes 16 bits and
 * would turn other sizes into noise.
 */
export async function misreadsPcm(streams: readonly Stream[], path: string, run: Run): Promise<boolean> {
  const in_16_bits = streams.filter(
    ({ codec_tag_string: tag, codec_name }) => tag === 'ipcm' && codec_name.startsWith('pcm_s16'),
  )
  if (in_16_bits.length === 0) return false
  const list = openBoxes(path, run)
  for await (const { start } of findBoxes(list, { start: 0, end: Number.MAX_SAFE_INTEGER }, PATH)) {
    const bytes = Buffer.from(await readBlock(start, path, run))
    if (bytes.length > BITS_OFFSET && bytes[BITS_OFFSET] !== 16) return true
  }
  return false
}

/** Lists the boxes at the end of this path. */
async function* findBoxes(
  list: ListBoxes,
  range: Range,
  [wanted, ...deeper]: readonly { type: string; header_bytes: number }[],
): AsyncGenerator<Box> {
  for await (const box of list(range)) {
    if (box.type !== wanted?.type) continue
    if (deeper.length === 0) yield box
    else yield* findBoxes(list, { start: box.start + wanted.header_bytes, end: box.end }, deeper)
  }
}
