import { type ByteSource, CorruptImage, type Piece, type Range } from './bytes.ts'

/** A box in an ISO base media file: MP4, QuickTime or HEIF. */
export interface Box {
  type: string
  start: number
  /** Start of the box's content. */
  body: number
  end: number
}

/** New bytes for a range of the source. They have the same length as the range. */
export interface Patch {
  start: number
  end: number
  bytes: Buffer | 'zeros'
}

/** Maximum number of boxes in one file, over all reads. Each box may add bytes to write. */
const BOXES_MAX = 200_000
const counts = new WeakMap<ByteSource, number>()

/**
 * Iterates over the boxes from one position to another.
 * @throws CorruptImage at the first box that exceeds its container.
 */
export async function* iterateBoxes(source: ByteSource, from: number, end: number): AsyncGenerator<Box> {
  for (let at = from; at + 8 <= end; ) {
    const count = (counts.get(source) ?? 0) + 1
    counts.set(source, count)
    const head = await source.read(at, 16)
    const declared = head.readUInt32BE(0)
    const is_long = declared === 1 && head.length === 16
    const size = is_long ? Number(head.readBigUInt64BE(8)) : declared === 0 ? end - at : declared
    const head_bytes = is_long ? 16 : 8
    if (size < head_bytes || at + size > end || count > BOXES_MAX)
      throw new CorruptImage('a box that does not fit into its container')
    yield { type: head.toString('latin1', 4, 8), start: at, body: at + head_bytes, end: at + size }
    at += size
  }
}

/** Returns the boxes in a box. Skips the `own_bytes` at the start of its content. */
export async function boxesIn(source: ByteSource, { body, end }: Box, own_bytes = 0): Promise<Box[]> {
  const boxes: Box[] = []
  for await (const box of iterateBoxes(source, body + own_bytes, end)) boxes.push(box)
  return boxes
}

/** Reads the content of a box. */
export async function readBox(source: ByteSource, { body, end }: Box): Promise<Buffer> {
  return Buffer.from(await source.read(body, end - body))
}

/** Builds a box smaller than 4 GB. */
export function boxOf(type: string, ...content: Buffer[]): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.reduce((sum, { length }) => sum + length, head.length))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}

/** Turns a box into free space of the same size and overwrites its content. */
export function blankBox({ start, body, end }: Box): Patch[] {
  return [
    { start: start + 4, end: start + 8, bytes: Buffer.from('free', 'latin1') },
    { start: body, end, bytes: 'zeros' },
  ]
}

/** Returns the source between two positions, with the patches applied. */
export function applyPatches(patches: readonly Patch[], from: number, end: number): Piece[] {
  const pieces: Piece[] = []
  let at = from
  for (const { start, end: patch_end, bytes } of patches.toSorted((a, b) => a.start - b.start)) {
    if (start < at || patch_end > end) continue
    if (start > at) pieces.push({ start: at, end: start })
    pieces.push(bytes === 'zeros' ? { zeros: patch_end - start } : bytes)
    at = patch_end
  }
  return at < end ? [...pieces, { start: at, end }] : pieces
}

/** Returns the parts of a box's content that lie outside these ranges. */
export function gapsIn({ body, end }: Box, ranges: readonly Range[]): Range[] {
  const gaps: Range[] = []
  let at = body
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    if (range.start > at && at < end) gaps.push({ start: at, end: Math.min(end, range.start) })
    at = Math.max(at, range.end)
  }
  return at < end ? [...gaps, { start: at, end }] : gaps
}

export function zerosOf({ body, end }: Box, ranges: readonly Range[]): Patch[] {
  const inside = ranges.filter((range) => range.start >= body && range.end <= end && range.start < range.end)
  return inside.map((range) => ({ ...range, bytes: 'zeros' }))
}

/** Copies a box and applies the patches inside it. */
export async function patchBox(
  source: ByteSource,
  { start, end }: Box,
  patches: readonly Patch[],
): Promise<Buffer> {
  const box = Buffer.from(await source.read(start, end - start))
  for (const patch of patches) {
    if (patch.bytes === 'zeros') box.fill(0, patch.start - start, patch.end - start)
    else patch.bytes.copy(box, patch.start - start)
  }
  return box
}
