import type { Run } from '../runtime/run.ts'
import { readBlock } from './bytes/blocks.ts'
import { type Box, openBoxes, type Range } from './bytes/boxes.ts'

/** A track of an MP4 or QuickTime file, as its headers describe it. */
export interface MovieTrack {
  /** When the track ends, in seconds of movie time; 0 if the header does not say. */
  end_seconds: number
  kind: 'video' | 'audio' | 'other'
  /** Frame size of a video track that is shown as it is coded; null if it is turned, mirrored or stretched. */
  size: { width: number; height: number } | null
}

/** Positions of the fields in header versions 0 and 1. ISO 14496-12, 8.2.2 and 8.3.2. */
const TIMESCALE_AT = [12, 20]
const DURATION_AT = [20, 28]
const MATRIX_AT = [40, 52]

/** Position of the handler type in `hdlr`, and of the frame size of the first sample entry in `stsd`. */
const HANDLER_AT = 8
const FRAME_SIZE_AT = 40

/** The matrix that changes nothing, in 16.16 and 2.30 fixed-point numbers. */
const [ONE, UNIT] = [0x10000, 0x40000000]
const IDENTITY = [ONE, 0, 0, 0, ONE, 0, 0, 0, UNIT]

const KINDS: Partial<Record<string, MovieTrack['kind']>> = { vide: 'video', soun: 'audio' }

/**
 * Reads the tracks of an MP4 or QuickTime file from their headers. ffprobe takes longer to start than this, and adds up
 * sample durations in decoding order, which misses gaps between the last frames of a cut.
 * @returns the tracks in order, starting at 0; none for other files.
 */
export async function readMovieTracks(path: string, run: Run): Promise<MovieTrack[]> {
  const list = openBoxes(path, run)
  const find = async (range: Range, [type, ...deeper]: readonly string[]): Promise<Box | null> => {
    for await (const box of list(range)) {
      if (box.type === type) return deeper.length === 0 ? box : find(box, deeper)
    }
    return null
  }
  const readFields = async (box: Box | null) =>
    box === null ? Buffer.alloc(0) : (await readBlock(box.start, path, run)).subarray(0, box.end - box.start)
  const movie = await find({ start: 0, end: Number.MAX_SAFE_INTEGER }, ['moov'])
  if (movie === null) return []
  let timescale = 0
  const tracks: MovieTrack[] = []
  for await (const box of list(movie)) {
    if (box.type === 'mvhd') timescale = readTimescale(await readFields(box))
    if (box.type !== 'trak') continue
    const header = await readFields(await find(box, ['tkhd']))
    const kind = readKind(await readFields(await find(box, ['mdia', 'hdlr'])))
    const entries = kind === 'video' ? await find(box, ['mdia', 'minf', 'stbl', 'stsd']) : null
    tracks.push({
      end_seconds: timescale > 0 ? readDuration(header) / timescale : 0,
      kind,
      size: readSize(header, await readFields(entries)),
    })
  }
  return tracks
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

function readKind(handler: Buffer): MovieTrack['kind'] {
  return KINDS[handler.toString('latin1', HANDLER_AT, HANDLER_AT + 4)] ?? 'other'
}

function readSize(header: Buffer, entries: Buffer): MovieTrack['size'] {
  const at = MATRIX_AT[header[0] ?? 0] ?? header.length
  if (at + 44 > header.length || FRAME_SIZE_AT + 4 > entries.length) return null
  const [width, height] = [entries.readUInt16BE(FRAME_SIZE_AT), entries.readUInt16BE(FRAME_SIZE_AT + 2)]
  const shown = [...IDENTITY, width * ONE, height * ONE]
  return shown.every((value, index) => header.readUInt32BE(at + 4 * index) === value)
    ? { width, height }
    : null
}
