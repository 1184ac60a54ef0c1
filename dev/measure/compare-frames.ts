import type { Expected } from './jobs.ts'
import type { Reading, VideoReading } from './read-file.ts'
import { gridDistance, readGrids, turnGrid, WHOLE } from './read-frames.ts'

/** Of grids of mean colors: what encoding changes stays well below. */
const COLOR_TOLERANCE = 6
/** Times are rounded to a millisecond by Matroska, and to 1/90000 s by broadcasts. */
const ROUNDING_SECONDS = 0.002
/** So much nearer to a frame beside the expected one means that it is that frame. */
const CLEARLY_NEARER = 0.5
const NOISE = 1.5

const cache = new Map<string, Promise<Buffer[]>>()

/** The whole frames of a source are read once for all its jobs. */
function readSource(source: Reading, expected: Expected): Promise<Buffer[]> {
  const region = expected.places?.source ?? WHOLE
  const key = `${source.path} ${JSON.stringify(region)}`
  if (![...cache.keys()].some((known) => known.startsWith(source.path))) cache.clear()
  const grids = cache.get(key) ?? readGrids(source, region)
  cache.set(key, grids)
  return grids
}

/** Checks that each frame of the result is the one that the source shows at that time, in its colors. */
export async function compareFrames(
  source: Reading,
  result: Reading,
  expected: Expected,
  is_copied: boolean,
): Promise<string[]> {
  if (source.video === null || result.video === null || expected.video !== 'same') return []
  // A drawn copy of these has other colors on purpose.
  if (!is_copied && (source.video.is_wide || source.video.has_alpha)) return []
  const before = await readSource(source, expected)
  const after = await readGrids(result, expected.places?.result)
  const { times } = source.video
  if (Math.abs(before.length - times.length) > 1) return ['ffprobe and ffmpeg do not agree on its frames']
  if (after.length === 0) return ['it has no frames']
  const lead_seconds = expected.start_seconds + hiddenLead(source, result, is_copied)
  const slack = slackSeconds(source.video, result.video, expected, is_copied)
  // A copied part ends with the frames that others refer to, each displayed for an instant.
  const end_seconds = (is_copied && expected.seconds) || Number.POSITIVE_INFINITY
  const faults = after.flatMap((grid, at) => {
    const seconds = result.video?.times[at]
    if (seconds === undefined || seconds >= end_seconds - ROUNDING_SECONDS) return []
    const source_seconds = lead_seconds + seconds * expected.factor
    const from = indexAt(times, source_seconds - slack)
    const to = indexAt(times, source_seconds + slack)
    return compareFrame(before, turnGrid(grid, expected.turn ?? 'none'), from, to).map(
      ({ distance, what }) => ({ distance, sentence: `its frame at ${seconds.toFixed(3)} s ${what}` }),
    )
  })
  const worst = faults.sort((one, other) => other.distance - one.distance)[0]
  return worst === undefined ? [] : [`${worst.sentence} (${faults.length} of ${after.length} frames)`]
}

/** A copy without audio begins with its first frame, which the audio of its source may precede. */
export function hiddenLead(source: Reading, result: Reading, is_copied: boolean): number {
  return is_copied && result.audio === null ? (source.video?.times[0] ?? 0) : 0
}

/**
 * How far beside the source's times a result's may be. Copies keep them; what is encoded may begin at nought with a frame
 * that began a little later, and frames on a beat of their own, as those of uneven recordings, are up to a frame beside.
 */
function slackSeconds(
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

/** The source's frames from one index to another are right. */
function compareFrame(
  before: readonly Buffer[],
  grid: Buffer,
  from: number,
  to: number,
): { distance: number; what: string }[] {
  const distance = nearest(before, grid, from, to)
  if (distance <= NOISE) return []
  const beside = Math.min(nearest(before, grid, from - 2, from - 1), nearest(before, grid, to + 1, to + 2))
  const [is, other] = [distance, beside].map((far) => far.toFixed(1))
  if (beside < distance * CLEARLY_NEARER)
    return [{ distance, what: `is one beside the source's: ${is} away, not ${other}` }]
  return distance > COLOR_TOLERANCE ? [{ distance, what: `is ${is} away from the source's` }] : []
}

/** The frame that is shown at a time; before the first it is held. */
function indexAt(times: readonly number[], seconds: number): number {
  return Math.max(
    0,
    times.findLastIndex((time) => time <= seconds),
  )
}

function nearest(grids: readonly Buffer[], grid: Buffer, from: number, to: number): number {
  const distances = grids
    .slice(Math.max(0, from), Math.max(0, to + 1))
    .map((other) => gridDistance(other, grid))
  return Math.min(Number.POSITIVE_INFINITY, ...distances)
}
