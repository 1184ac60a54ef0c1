import { find, readBoxes } from './heif-color.ts'

const FOREVER = 0
/** Maximum loop count in WebP. ffmpeg writes the largest signed number for an endless track. */
const PLAYS_MAX = 0xffff
/** Edit list flag: the edits repeat for the duration of the track (ISO/IEC 14496-12, 8.6.6). */
const REPEATED_FLAG = 1
const [FIRST_EDIT_OFFSET, TRACK_DURATION_OFFSETS] = [8, [20, 28]]

/**
 * Reads how many times an animated AVIF plays.
 * @param movie the body of its "moov" box.
 * @returns 0 for forever. Like browsers, also returns 0 if the file does not specify a count.
 */
export function readAvifLoop(movie: Buffer): number {
  const track = readBoxes(find(readBoxes(movie), 'trak'))
  const edits = find(readBoxes(find(track, 'edts')), 'elst')
  if (edits.length < FIRST_EDIT_OFFSET) return FOREVER
  if ((edits.readUInt8(3) & REPEATED_FLAG) === 0) return 1
  const header = find(track, 'tkhd')
  const once = readDuration(edits, FIRST_EDIT_OFFSET)
  const whole = readDuration(header, TRACK_DURATION_OFFSETS[header[0] ?? 0] ?? header.length)
  if (once === null || whole === null || once === 0) return FOREVER
  const plays = Math.max(1, Math.ceil(whole / once))
  return plays > PLAYS_MAX ? FOREVER : plays
}

/** Reads a duration from a full box; it has 64 bits in version 1. Returns null if it is indefinite or truncated. */
function readDuration(box: Buffer, at: number): number | null {
  const bytes = box[0] === 1 ? 8 : 4
  if (at + bytes > box.length) return null
  const is_indefinite = box.subarray(at, at + bytes).every((byte) => byte === 0xff)
  if (is_indefinite) return null
  return bytes === 8 ? Number(box.readBigUInt64BE(at)) : box.readUInt32BE(at)
}
