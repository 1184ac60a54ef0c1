import { type FfmpegStep, SOURCE } from '../../planning/steps.ts'
import { KEYFRAME_SECONDS } from '../cuts/keyframe-seconds.ts'
import { checkReading, continueSource, readWithFallbacks, type Source, seekOptions } from '../cuts/source.ts'
import type { FrameRequest } from '../cuts/timestamps.ts'
import { fromKeyframe, unindexedSeeks } from '../cuts/unindexed-seek.ts'
import { FINE_TIMES, ffmpegSeconds } from '../filters.ts'
import { isIndexed } from '../output/containers.ts'
import { searchFrame } from './samples.ts'
import { probeOptions } from './short-probe.ts'

/**
 * Encoder settings for still images. JPEG and WebP use BT.601 regardless of the video; otherwise colors would
 * shift.
 */
const STILLS = {
  jpg: {
    colors: 'scale=out_color_matrix=bt601:out_range=full,format=yuvj420p',
    encoder: ['-c:v', 'mjpeg', '-q:v', '2'],
  },
  png: { colors: 'format=rgb24', encoder: ['-c:v', 'png'] },
  webp: {
    colors: 'scale=out_color_matrix=bt601:out_range=limited,format=yuv420p',
    encoder: ['-c:v', 'libwebp', '-quality', '85'],
  },
} as const
type StillFormat = keyof typeof STILLS

/** Returns the step that writes the first frame of `[frame]` as `{stem}.{format}`. */
export function stillStep(source: Source, stem: string, format: StillFormat): FfmpegStep {
  const { colors, encoder } = STILLS[format]
  return {
    kind: 'ffmpeg',
    ...continueSource(source, (graph) => `${graph};[frame]${colors}[still]`),
    output: {
      file: `${stem}.${format}`,
      options: ['-map', '[still]', '-frames:v', '1', '-update', '1', ...encoder],
    },
    output_duration_seconds: null,
  }
}

/** Returns inputs and a graph that output one frame, `[frame]`: the one at a timestamp, or the best of a search. */
export function planFrame(requested: FrameRequest & { filters: string }): Source {
  return requested.smart ? searchFrame(requested) : frameAt(requested.at ?? 0, requested, requested.filters)
}

/** Callers and containers round timestamps to milliseconds, so a frame this much later still counts as shown. */
const TOLERANCE_SECONDS = 0.0015

/**
 * Passes only the last frame. All timestamps are shifted above zero and fall into one period of a rate lower than 1
 * / duration, and `fps` keeps the last frame of a period.
 */
const LAST_FRAME = ['setpts=PTS+1e5/TB', 'fps=fps=1e-6:round=down:start_time=0:eof_action=pass']

/** Shows the first frame early if the video starts after the timestamp. */
function advanceFirst(at: number): string {
  return `setpts='if(N,PTS,min(PTS,${ffmpegSeconds(at)}/TB))'`
}

/**
 * Reads the frame that players show at a timestamp: the last one that starts by then, or the first frame if none
 * does. With an index, a seek lands on the preceding keyframe; without one, reading starts well before the
 * timestamp.
 */
function frameAt(at: number, requested: FrameRequest, frame_filters: string): Source {
  const { track, normalization } = requested
  const is_indexed = isIndexed(requested)
  const seeks = [...(is_indexed ? [at] : []), ...unindexedSeeks(requested, at)]
  return readWithFallbacks(seeks, (start) => {
    const seconds = at - start
    const filters = [
      ...(is_indexed || start === 0 ? [] : fromKeyframe(requested.codec)),
      ...normalization.filters,
      ...(start === 0 ? [advanceFirst(at)] : checkReading(start, at)),
      FINE_TIMES,
      `trim=end=${ffmpegSeconds(seconds + TOLERANCE_SECONDS)}`,
      ...LAST_FRAME,
      frame_filters,
    ]
    return {
      inputs: [
        {
          file: SOURCE,
          options: [...normalization.options, ...probeOptions(requested), ...seekOptions(requested, start)],
          reads_seconds: seconds + KEYFRAME_SECONDS,
        },
      ],
      filter_graph: `[0:${track}]${filters.join(',')}[frame]`,
    }
  })
}
