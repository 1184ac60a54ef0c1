import type { MediaProbe } from '../../planning/facts.ts'
import { type FfmpegStep, type PlacedCut, SOURCE } from '../../planning/steps.ts'
import { ffmpegSeconds } from '../filters.ts'
import { VIDEO_PAD } from '../graph.ts'
import { KEYFRAME_SECONDS } from './keyframe-seconds.ts'
import { decodeFrom } from './leading-frames.ts'
import { partEncoder } from './part-encoder.ts'

/** Times of the source, from the start of the file. */
export const SOURCE_TIMES = ['-copyts', '-start_at_zero']

/** Frames to encode, from `from` and before `to`, in units of the source. */
export interface EncodedRange extends Pick<PlacedCut, 'zero' | 'at'> {
  from: number
  to: number
}

/** Returns when the first frame of a range is displayed in the result. */
export function startOf({ from, zero, at }: EncodedRange): number {
  return at + Math.max(0, from - zero)
}

/** Encodes ranges that follow each other in the result, like the rest of the video. */
export function encodeStretch(
  { video }: MediaProbe,
  { timescale, shares_sequence }: { timescale: number; shares_sequence: boolean },
  ranges: readonly [EncodedRange, ...EncodedRange[]],
  file: string,
): FfmpegStep {
  const [first] = ranges
  const end = ranges.at(-1)?.to ?? first.to
  const filters = [
    `trim=start_pts=${first.from}:end_pts=${end}`,
    ...(ranges.length > 1 ? [`select='${ranges.map(isWithin).join('+')}'`] : []),
    `setpts='${placeIn(ranges, startOf(first))}'`,
  ]
  const seconds = ranges.reduce((sum, { from, to }) => sum + to - from, 0) / timescale
  return {
    kind: 'ffmpeg',
    inputs: [
      {
        file: SOURCE,
        options: [
          '-noautorotate',
          '-noaccurate_seek',
          '-ss',
          ffmpegSeconds(decodeFrom(first.from / timescale)),
        ],
        reads_seconds: (end - first.from) / timescale + KEYFRAME_SECONDS,
      },
    ],
    filter_graph: `[0:${video.index}]${filters.join(',')}${VIDEO_PAD}`,
    output: {
      file,
      options: [
        ...[...SOURCE_TIMES, '-map', VIDEO_PAD, ...partEncoder(video, shares_sequence)],
        ...['-fps_mode', 'passthrough', '-enc_time_base:v', `1:${timescale}`],
        ...['-video_track_timescale', String(timescale)],
      ],
    },
    output_duration_seconds: seconds,
  }
}

function isWithin({ from, to }: EncodedRange): string {
  return `gte(pts,${from})*lt(pts,${to})`
}

/** Returns an expression for the time of a frame in the stretch. */
function placeIn([range, ...later]: readonly EncodedRange[], start: number): string {
  if (range === undefined) return 'PTS'
  const place = `max(PTS-${range.zero},0)+${range.at - start}`
  return later.length === 0 ? place : `if(lt(PTS,${range.to}),${place},${placeIn(later, start)})`
}
