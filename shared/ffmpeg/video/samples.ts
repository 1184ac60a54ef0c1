import { SOURCE } from '../../planning/steps.ts'
import { cutSeeks } from '../cuts/cut.ts'
import { KEYFRAME_SECONDS } from '../cuts/keyframe-seconds.ts'
import {
  checkReading,
  continueSource,
  type Reading,
  readFrom,
  readWithFallbacks,
  type Source,
  seekOptions,
} from '../cuts/source.ts'
import type { FrameRequest } from '../cuts/timestamps.ts'
import { fromKeyframe, unindexedSeeks } from '../cuts/unindexed-seek.ts'
import { ffmpegSeconds } from '../filters.ts'
import { isIndexed } from '../output/containers.ts'
import { probeOptions } from './short-probe.ts'

/** Number of samples in a search: two more for each doubling of the duration, up to the maximum. */
const SAMPLES_MIN = 8
const SAMPLES_MAX = 20
const SAMPLED_SHORT_SECONDS = 120
/** All samples are held in memory, each with its own decoder, so 4K videos get the minimum number. */
const SAMPLED_PIXELS_MAX = 20 * 1920 * 1080
/** Up to these limits, a search decodes the whole range; beyond them, it jumps between keyframes. */
const DECODED_SECONDS_MAX = 20
const DECODED_BYTES_MAX = 8 * 1024 * 1024
/** Approximate duration that ffmpeg reads for one keyframe, including a few packets after it. */
const SAMPLED_SECONDS = 0.2
/** Without an index, ffmpeg reads up to the next keyframe, so samples are at least this far apart. */
const BLIND_SECONDS_PER_SAMPLE = 12
const BLIND_SAMPLES_MIN = 3
/** Range of a search around a timestamp; shorter at high bitrates. */
const NEAR_SECONDS = { min: 2, max: 5 }
const NEAR_BYTES_MAX = 2 * 1024 * 1024

/** Metrics of a frame: 8-bit luma, entropy (0 = flat, 1 = noise) and blur (5 = sharp, 25 = smeared). */
const JUDGES = ['signalstats', 'entropy', 'blurdetect'].join(',')
const CLEAR = [
  keep('lavfi.signalstats.YAVG', 'greater', 30),
  keep('lavfi.signalstats.YAVG', 'less', 225),
  keep('lavfi.entropy.normalized_entropy.normal.Y', 'greater', 0.3),
].join(',')

/** Frame classes, from the best to one that accepts every frame. */
const CLASSES = [[CLEAR, keep('lavfi.blur', 'less', 7)], [CLEAR, keep('lavfi.blur', 'less', 12)], [CLEAR], []]

/**
 * Searches for the best frame, either near `at` or anywhere. Applies the filters and outputs the frame as
 * `[frame]`.
 */
export function searchFrame(requested: FrameRequest & { filters: string }): Source {
  const { at, duration_seconds, size_bytes = 0, filters: frame_filters } = requested
  const bytes_per_second = size_bytes / duration_seconds
  const near = clamp(NEAR_BYTES_MAX / bytes_per_second, NEAR_SECONDS.min, NEAR_SECONDS.max)
  const from = at === null ? 0 : Math.max(0, at - near)
  const to = at === null ? duration_seconds : Math.min(duration_seconds, at + near)
  const is_long = to - from > DECODED_SECONDS_MAX || bytes_per_second * (to - from) > DECODED_BYTES_MAX
  const jumps = is_long && !requested.clock_restarts && (at === null || isIndexed(requested))
  const most = jumps && !isIndexed(requested) ? blindSamplesMax(to - from) : SAMPLES_MAX
  const count = Math.min(most, sampleCount(to - from, requested.pixels))
  const sampled = jumps
    ? sampleKeyframes(from, to, count, requested)
    : sampleEvenly(from, to, count, requested)
  return continueSource(sampled, (graph) => `${graph};${pickBest('[samples]', count, frame_filters)}`)
}

function sampleCount(seconds: number, pixels: number): number {
  const doublings = Math.log2(Math.max(1, seconds / SAMPLED_SHORT_SECONDS))
  const most = Math.max(SAMPLES_MIN, Math.min(SAMPLES_MAX, Math.floor(SAMPLED_PIXELS_MAX / pixels)))
  return Math.min(most, Math.round(SAMPLES_MIN + 2 * doublings))
}

function blindSamplesMax(seconds: number): number {
  return Math.max(BLIND_SAMPLES_MIN, Math.floor(seconds / BLIND_SECONDS_PER_SAMPLE))
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value))
}

function sampleEvenly(from: number, to: number, count: number, requested: FrameRequest): Source {
  const { track, normalization } = requested
  const seconds = Math.max(to - from, 0.1)
  const at = requested.at ?? from
  const is_indexed = isIndexed(requested)
  // Without an index, sampling starts at the next keyframe if that comes before the timestamp.
  const seeks = is_indexed
    ? cutSeeks(requested, { start: from, seconds })
    : unindexedSeeks(requested, at, at - from)
  return readWithFallbacks(seeks, (start) => {
    const part = `trim=start=${ffmpegSeconds(from - start)}:end=${ffmpegSeconds(from - start + seconds)}`
    const rate = `fps=${ffmpegSeconds(count / seconds)}`
    const filters = [
      ...(is_indexed || start === 0 ? [] : fromKeyframe(requested.codec)),
      ...[
        ...normalization.filters,
        ...checkReading(start, is_indexed ? from : at),
        part,
        'setpts=PTS-STARTPTS',
        rate,
      ],
    ]
    return {
      inputs: [
        {
          file: SOURCE,
          options: [...normalization.options, ...probeOptions(requested), ...seekOptions(requested, start)],
          reads_seconds: from - start + seconds + KEYFRAME_SECONDS,
        },
      ],
      filter_graph: `[0:${track}]${filters.join(',')}[samples]`,
    }
  })
}

/**
 * Opens the file once per timestamp and reads one keyframe each time. If no seek succeeds, uses the first frame of
 * the video.
 */
function sampleKeyframes(from: number, to: number, count: number, requested: FrameRequest): Source {
  const { track, normalization, codec } = requested
  const timestamps = Array.from(
    { length: count },
    (_, number) => from + ((number + 0.5) / count) * (to - from),
  )
  const is_indexed = isIndexed(requested)
  const labels = timestamps.map((_, number) => `[at${number}]`).join('')
  const read = (first: number): Reading => {
    const starts = [first, ...timestamps.slice(1)]
    const heads = starts.map((start, number) => {
      const keyed = is_indexed || start === 0 ? [] : fromKeyframe(codec)
      const filters = [...keyed, ...normalization.filters, 'trim=end_frame=1', 'setpts=PTS-STARTPTS']
      return `[${number}:${track}]${filters.join(',')}[at${number}]`
    })
    return {
      inputs: starts.map((start) => ({
        file: SOURCE,
        options: [
          ...['-threads', '1', '-thread_queue_size', '1', ...normalization.options],
          ...[...probeOptions(requested), ...seekOptions(requested, start)],
        ],
        reads_seconds: SAMPLED_SECONDS,
      })),
      filter_graph: `${heads.join(';')};${labels}concat=n=${count}[samples]`,
    }
  }
  return readFrom(timestamps[0] ?? 0, read)
}

/**
 * Reduces each class to its most typical frame and concatenates these frames, so the first one comes from the best
 * class available.
 */
function pickBest(samples: string, count: number, frame_filters: string): string {
  const branches = CLASSES.map(
    (filters, number) => `[judged${number}]${[...filters, `thumbnail=n=${count}`].join(',')}[class${number}]`,
  )
  const judged = CLASSES.map((_, number) => `[judged${number}]`).join('')
  const classes = CLASSES.map((_, number) => `[class${number}]`).join('')
  return [
    `${samples}${frame_filters},format=yuv420p,${JUDGES},split=${CLASSES.length}${judged}`,
    ...branches,
    `${classes}concat=n=${CLASSES.length}[frame]`,
  ].join(';')
}

function keep(key: string, comparison: 'greater' | 'less', value: number): string {
  return `metadata=mode=select:key=${key}:function=${comparison}:value=${value}`
}
