import { type FfmpegStep, SOURCE } from '../../planning/steps.ts'
import { KEYFRAME_SECONDS } from '../cuts/keyframe-seconds.ts'
import { checkReading, continueSource, readWithFallbacks, type Source, seekOptions } from '../cuts/source.ts'
import type { FrameRequest } from '../cuts/timestamps.ts'
import { fromKeyframe, unindexedSeeks } from '../cuts/unindexed-seek.ts'
import { FINE_TIMES, ffmpegSeconds } from '../filters.ts'
import { isIndexed } from '../output/containers.ts'
import { searchFrame } from './samples.ts'
import { probeOptions } from './short-probe.ts'

/** How one picture is written: JPEG and WebP are BT.601 whatever the video is, or colors would shift. */
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

/** Writes the first picture of the graph's `[frame]`, as `{stem}.{format}`. */
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

/** Inputs and graph that end in one frame, `[frame]`. `at` null: a search through the whole video. */
export function planFrame(requested: FrameRequest & { filters: string }): Source {
  return requested.smart ? searchFrame(requested) : frameAt(requested.at ?? 0, requested, requested.filters)
}

/** Callers and containers round times to milliseconds: a frame this much later still counts as shown. */
const TOLERANCE_SECONDS = 0.0015

/**
 * Passes only the last frame of its input. All times, moved above zero, fall into one period of a rate that is
 * lower than any video is long, and `fps` keeps the last frame of a period.
 */
const LAST_FRAME = ['setpts=PTS+1e5/TB', 'fps=fps=1e-6:round=down:start_time=0:eof_action=pass']

/** A video that begins after the moment shows its first frame. */
function advanceFirst(at: number): string {
  return `setpts='if(N,PTS,min(PTS,${ffmpegSeconds(at)}/TB))'`
}

/**
 * The frame that players show at the moment: the last one that begins by then, or the first frame of all. With an
 * index, seeking stops at the keyframe before; without one, reading starts well before the moment.
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
