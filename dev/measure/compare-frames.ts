import type { Expected } from './jobs.ts'
import type { Reading, VideoReading } from './read-file.ts'
import { gridDistance, readGrids, turnGrid, WHOLE } from './read-frames.ts'

/** Maximum distance between color grids. Encoding changes colors by much less. */
const COLOR_TOLERANCE = 6
/** Matroska rounds timestamps to 1 ms, and MPEG-TS rounds them to 1/90000 s. */
const ROUNDING_SECONDS = 0.002
/**
 * A frame counts as misplaced if its distance to an adjacent source frame is less than this fraction of its
 * distance to the expected frame.
 */
const ADJACENT_DISTANCE_FACTOR = 0.5
/** Maximum distance at which frames count as equal. */
const NOISE = 1.5

const cache = new Map<string, Promise<Buffer[]>>()

/** Reads the frames of a source once and shares them among its jobs. */
function readSource(source: Reading, expected: Expected): Promise<Buffer[]> {
  const region = expected.regions?.source ?? WHOLE
  const key = `${source.path} ${JSON.stringify(region)}`
  if (![...cache.keys()].some((known) => known.startsWith(source.path))) cache.clear()
  const grids = cache.get(key) ?? readGrids(source, region)
  cache.set(key, grids)
  return grids
}

/** Checks that each frame of the result matches the source frame displayed at that time, including its colors. */
export async function compareFrames(
  source: Reading,
  result: Reading,
  expected: Expected,
  is_copied: boolean,
): Promise<string[]> {
  if (source.video === null || result.video === null || expected.video !== 'same') return []
  // Encoding a wide-gamut or transparent video changes its colors on purpose.
  if (!is_copied && (source.video.is_wide_gamut || source.video.has_alpha)) return []
  const before = await readSource(source, expected)
  const after = await readGrids(result, expected.regions?.result)
  const { times } = source.video
  if (Math.abs(before.length - times.length) > 1)
    return ['ffprobe and ffmpeg count different numbers of source frames']
  if (after.length === 0) return ['video has no frames']
  const lead_seconds = expected.start_seconds + hiddenLead(source, result, is_copied)
  const tolerance = timeTolerance(source.video, result.video, expected, is_copied)
  // A copied part ends with reference frames that are displayed only for an instant.
  const end_seconds = (is_copied && expected.seconds) || Number.POSITIVE_INFINITY
  const faults = after.flatMap((grid, index) => {
    const seconds = result.video?.times[index]
    if (seconds === undefined || seconds >= end_seconds - ROUNDING_SECONDS) return []
    const source_seconds = lead_seconds + seconds * expected.factor
    const from = indexAt(times, source_seconds - tolerance)
    const to = indexAt(times, source_seconds + tolerance)
    return compareFrame(before, turnGrid(grid, expected.turn ?? 'none'), from, to).map(
      ({ distance, fault }) => ({ distance, message: `frame at ${seconds.toFixed(3)} s ${fault}` }),
    )
  })
  const worst = faults.sort((one, other) => other.distance - one.distance)[0]
  return worst === undefined ? [] : [`${worst.message} (${faults.length} of ${after.length} frames)`]
}

/**
 * Returns how many seconds of the source precede a copy without audio. The copy starts at its first frame; in the
 * source, audio can start earlier.
 */
export function hiddenLead(source: Reading, result: Reading, is_copied: boolean): number {
  return is_copied && result.audio === null ? (source.video?.times[0] ?? 0) : 0
}

/**
 * Returns how many seconds timestamps may differ from the source. Copies keep their timestamps. An encoded video
 * can start at zero with a frame that started slightly later. If the frame rate changes or the source's frame rate
 * varies, timestamps can differ by up to one frame.
 */
function timeTolerance(
  source: VideoReading,
  result: VideoReading,
  expected: Expected,
  is_copied: boolean,
): number {
  if (is_copied) return ROUNDING_SECONDS
  const { factor, start_seconds } = expected
  const is_same = Math.abs(result.frames_per_second / (source.frames_per_second * factor) - 1) < 0.002
  if (!is_same) return ROUNDING_SECONDS + factor / result.frames_per_second
  return ROUNDING_SECONDS + (start_seconds > 0 ? 0.2 : 0.45) / source.frames_per_second
}

/** Compares a frame with the source frames `from` through `to`. Matching any one of them is enough. */
function compareFrame(
  before: readonly Buffer[],
  grid: Buffer,
  from: number,
  to: number,
): { distance: number; fault: string }[] {
  const distance = minDistance(before, grid, from, to)
  if (distance <= NOISE) return []
  const adjacent = Math.min(
    minDistance(before, grid, from - 2, from - 1),
    minDistance(before, grid, to + 1, to + 2),
  )
  if (adjacent < distance * ADJACENT_DISTANCE_FACTOR) {
    const distances = `${adjacent.toFixed(1)}, to the expected one ${distance.toFixed(1)}`
    return [{ distance, fault: `matches an adjacent source frame: distance ${distances}` }]
  }
  return distance > COLOR_TOLERANCE
    ? [{ distance, fault: `differs from the source frame by ${distance.toFixed(1)}` }]
    : []
}

/** Returns the index of the frame displayed at the given time. The first frame also covers the time before it. */
function indexAt(times: readonly number[], seconds: number): number {
  return Math.max(
    0,
    times.findLastIndex((time) => time <= seconds),
  )
}

function minDistance(grids: readonly Buffer[], grid: Buffer, from: number, to: number): number {
  const distances = grids
    .slice(Math.max(0, from), Math.max(0, to + 1))
    .map((other) => gridDistance(other, grid))
  return Math.min(Number.POSITIVE_INFINITY, ...distances)
}
