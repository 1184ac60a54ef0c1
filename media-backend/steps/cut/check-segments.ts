import type { SegmentRange, SpreadEncode } from '../../../shared/planning/spread.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { findBox, requireBox } from './movie-boxes.ts'
import type { MovieTrack } from './movie-samples.ts'

/** Difference between two rates that round to the same one, as a share. */
const RATE_TOLERANCE = 1e-5

/**
 * Checks that encoded segments follow each other like the frames of one encode: every frame of the range is there once
 * and at its time, and one decoder configuration fits all.
 * @param tracks the segments in order.
 * @returns the units per second, and when each segment and the last frame are displayed.
 * @throws CutMismatch at the first difference.
 */
export function checkSegments(
  tracks: readonly MovieTrack[],
  ranges: readonly SegmentRange[],
  { frames_per_second, late_frames }: Pick<SpreadEncode, 'frames_per_second' | 'late_frames'>,
): { timescale: number; starts: number[] } {
  const [head] = tracks
  if (head === undefined) throw new CutMismatch('there is no segment')
  const { timescale, last_duration: frame_units } = head
  const rate = timescale / frame_units
  if (!(Math.abs(rate / frames_per_second - 1) < RATE_TOLERANCE))
    throw new CutMismatch(`the segments have ${rate} frames per second instead of ${frames_per_second}`)
  for (const track of tracks) {
    if (track.timescale !== timescale) throw new CutMismatch('the segments count time in different units')
    if (!configurationOf(track).equals(configurationOf(head)))
      throw new CutMismatch('the segments have different decoder configurations')
    checkFrames(track, frame_units)
  }
  const places = tracks.map((track) => {
    const start = Math.round((startOf(track) * timescale) / frame_units)
    return { start, end: start + track.samples.length }
  })
  checkPlaces(places, ranges, late_frames)
  return { timescale, starts: places.map(({ start }) => start * frame_units) }
}

/** Checks the frames of the result that the segments take. A late first frame is late, or repeated from the start. */
function checkPlaces(
  places: readonly { start: number; end: number }[],
  ranges: readonly SegmentRange[],
  late_frames: number,
): void {
  for (const [at, { start, end }] of places.entries()) {
    const range = ranges[at] ?? { first: 0, end: 0 }
    const wanted_start = late_frames + range.first
    const starts_well = range.first === 0 ? start <= wanted_start : start === wanted_start
    if (!starts_well) throw new CutMismatch(`a segment starts with frame ${start} instead of ${wanted_start}`)
    if (range.end !== null && end !== late_frames + range.end)
      throw new CutMismatch(`a segment ends before frame ${end} instead of ${late_frames + range.end}`)
  }
}

function checkFrames({ samples }: MovieTrack, frame_units: number): void {
  const shown = samples.map(({ pts }) => pts).sort((one, other) => one - other)
  const is_regular = shown.every((pts, at) => pts === (shown[0] ?? 0) + at * frame_units)
  const is_decodable = samples.every(({ dts }, at) => dts === at * frame_units)
  if (!is_regular || !is_decodable || samples[0]?.is_key !== true)
    throw new CutMismatch('the frames of a segment are irregular')
}

/** Returns the start of a track in seconds, rounded to milliseconds: the length of an empty edit at the beginning of its edit list. */
function startOf({ moov }: MovieTrack): number {
  const mvhd = requireBox(moov, 'moov/mvhd')
  const movie_timescale = mvhd.readUInt32BE(mvhd[0] === 1 ? 20 : 12)
  const edits = findBox(moov, 'moov/trak/edts/elst')
  if (edits === undefined || edits.readUInt32BE(4) === 0) return 0
  const is_wide = edits[0] === 1
  const media_time = is_wide ? Number(edits.readBigInt64BE(16)) : edits.readInt32BE(12)
  const length = is_wide ? Number(edits.readBigUInt64BE(8)) : edits.readUInt32BE(8)
  return media_time === -1 ? length / movie_timescale : 0
}

function configurationOf({ moov }: MovieTrack): Buffer {
  return requireBox(moov, 'moov/trak/mdia/minf/stbl/stsd/*/avcC')
}
