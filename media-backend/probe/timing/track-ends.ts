import type { Run } from '../../runtime/run.ts'
import { readBlock } from '../bytes/blocks.ts'
import { type Box, openBoxes, type Range } from '../bytes/boxes.ts'

/** Positions of the fields in header versions 0 and 1. ISO 14496-12, 8.2.2 and 8.3.2. */
const TIMESCALE_AT = [12, 20]
const DURATION_AT = [20, 28]

/**
 * Reads when each track of an MP4 or QuickTime file ends, in seconds of movie time, from the track headers. ffprobe
 * adds up sample durations in decoding order, which misses gaps between the last frames of a cut.
 * @returns the ends by track number, starting at 0; empty for other files.
 */
export async function readTrackEnds(path: string, run: Run): Promise<number[]> {
  const list = openBoxes(path, run)
  const readFields = async ({ start, end }: Range) =>
    (await readBlock(start, path, run)).subarray(0, end - start)
  const find = async (range: Range, type: string): Promise<Box | undefined> => {
    for await (const box of list(range)) if (box.type === type) return box
    return undefined
  }
  const movie = await find({ start: 0, end: Number.MAX_SAFE_INTEGER }, 'moov')
  if (movie === undefined) return []
  let timescale = 0
  const ends: number[] = []
  for await (const box of list(movie)) {
    if (box.type === 'mvhd') timescale = readTimescale(await readFields(box))
    if (box.type !== 'trak') continue
    const header = await find(box, 'tkhd')
    const duration = header === undefined ? 0 : readDuration(await readFields(header))
    ends.push(timescale > 0 ? duration / timescale : 0)
  }
  return ends
}

function readTimescale(header: Buffer): number {
  const at = TIMESCALE_AT[header[0] ?? 0] ?? header.length
  return at + 4 <= header.length ? header.readUInt32BE(at) : 0
}

function readDuration(header: Buffer): number {
  const at = DURATION_AT[header[0] ?? 0] ?? header.length
  if (at + 8 > header.length) return 0
  return header[0] === 1 ? Number(header.readBigUInt64BE(at)) : header.readUInt32BE(at)
}
