import { decodeSeconds, estimateEncodeSeconds, PROBE_START_SECONDS } from '../../planning/encode-seconds.ts'
import type { MediaProbe, TimeRange } from '../../planning/facts.ts'
import type { RateSearch } from '../../planning/steps.ts'
import { hasVariableRate, isSlightlyVariable } from '../cuts/cut.ts'
import { KEYFRAME_SECONDS } from '../cuts/keyframe-seconds.ts'
import { dropEarly, seekOptions } from '../cuts/source.ts'
import type { RateTarget, VideoEdit } from '../edit.ts'
import { encodedSize, ffmpegSeconds } from '../filters.ts'
import { prepareEdits, renderFrames, shownSource } from '../graph.ts'
import { isIndexed, type VideoContainer } from '../output/containers.ts'
import { codecOf } from '../output/encoders.ts'
import { rateOptions } from '../output/streams.ts'
import { passesOf } from '../passes.ts'
import { repeatsFrames } from '../repeats-frames.ts'
import { normalizeFrames } from '../video/normalize-frames.ts'
import { probeOptions } from '../video/short-probe.ts'
import { placeSamples, type Sample, secondsOf } from './place-samples.ts'
import { sampleEdits } from './sample-edits.ts'

/**
 * The search is estimated to take at most this share of the time of the encode, its programs included. Its measured CPU time is
 * up to 0.15 of that of the encode (docs/quality.md).
 */
const TIME_SHARE = 0.11
/**
 * Repeated frames take an encoder about this share of the estimated time. Samples take all of theirs, because each starts
 * with a keyframe.
 */
const REPEATING_SHARE = 0.55
/** Encoders place keyframes at most about this far apart. */
const KEYFRAMES_SECONDS = 8
/**
 * A sample is left out if its keyframe is farther before its range: all frames between them would be decoded, for each
 * sample and probe.
 */
const LEAD_SECONDS_MAX = 2 * KEYFRAMES_SECONDS
/** Fewer frames do not show how much detail is lost. Shorter videos keep the rate factor of the options. */
const FRAMES_MIN = 12
/** Samples of a long video, and the frames of each. */
const SAMPLES_MAX = 8
const SAMPLE_FRAMES = { min: 24, max: 40 }
/**
 * By how much (in logarithms) the loss of a typical video can rise for each sample, because a single one may miss the
 * scenes that need more.
 */
const RISE_PER_SAMPLE = 0.4
/** With fewer frames, one probe of more frames is more precise than two. */
const PROBE_FRAMES_MIN = 48
/** Frames are compared at a quarter of their size, and smaller ones than this show too little. */
const COMPARED_SCALE = 4
const COMPARED_SIDE_MIN = 40
/** All samples have a decoder of their own, so large frames allow fewer of them. */
const SAMPLED_PIXELS_MAX = 16 * 1920 * 1080
const SOURCE_PIXELS_MAX = 4096 * 2304

/**
 * Plans a search for the rate factor of an encode.
 * @returns null if the result is too short for its cost, if a seek could land anywhere, or if samples do not show what the
 * edits do.
 */
export function planRateSearch(
  target: RateTarget,
  edits: readonly VideoEdit[],
  probe: MediaProbe,
  { options, container }: { options: string[]; container: VideoContainer },
  source: string,
): RateSearch | null {
  const after = edits.at(-1)?.after ?? probe
  const size = encodedSize(after.video)
  const compared = {
    width: Math.round(size.width / COMPARED_SCALE),
    height: Math.round(size.height / COMPARED_SCALE),
  }
  const sampled = sampleEdits(edits, probe)
  if (sampled === null || !isSeekable(probe)) return null
  if (Math.min(compared.width, compared.height) < COMPARED_SIDE_MIN) return null
  const shown = countFrames(sampled.ranges, probe, after)
  const plan = sizeSamples(countBudget(edits, probe, options, shown, sampled.ranges), probe)
  if (plan === null) return null
  const { probes_max, count } = plan
  const source_frames = Math.ceil((plan.frames / count) * shown.source)
  const seconds = source_frames / probe.video.frames_per_second
  const samples = placeSamples(sampled.ranges, count, seconds)
  const found = samples.reduce((sum, { at, end }) => sum + Math.min(1, (end - at) / seconds), 0) / count
  if (plan.frames * found < FRAMES_MIN) return null
  const raise_max = (RISE_PER_SAMPLE / target.scale.growth) * count
  return {
    ...{ ...target, highest: Math.min(target.highest, target.lowest + raise_max) },
    ...{
      probes_max,
      compared,
      frames: Math.ceil(plan.frames * found * shown.encoded),
      decoded_frames: Math.ceil(
        plan.frames * found * shown.source + count * leadFrames(sampled.ranges, probe),
      ),
      encoder: [...options, ...rateOptions(after, codecOf(options), container)],
    },
    ...readSamples(sampled.edits, probe, { samples, frames: source_frames, size }, source),
  }
}

/** How many frames of the source the result shows. */
interface ShownFrames {
  count: number
  /** Frames of the source, and of the result, for each frame that is shown. */
  source: number
  encoded: number
}

/** Counts frames that are shown. Not all of the source are in the result if it is faster, and some are repeated in others. */
function countFrames(ranges: readonly TimeRange[], probe: MediaProbe, after: MediaProbe): ShownFrames {
  const read = secondsOf(ranges) * probe.video.frames_per_second
  const encoded = after.duration_seconds * after.video.frames_per_second
  const count = Math.min(read, encoded)
  return { count, source: read / count, encoded: encoded / count }
}

/** What a search can encode in its share of the time. */
interface Budget {
  frames: number
  /** How many frames could be encoded instead of those that are decoded before a sample. */
  lead_frames: number
}

function countBudget(
  edits: readonly VideoEdit[],
  probe: MediaProbe,
  options: string[],
  { count, source, encoded }: ShownFrames,
  ranges: readonly TimeRange[],
): Budget {
  const step = { kind: 'ffmpeg' as const, inputs: [], filter_graph: null, output_duration_seconds: null }
  const passes = passesOf(edits, probe)
  const seconds = estimateEncodeSeconds(
    { steps: [{ ...step, output: { file: '', options } }], passes },
    probe.video,
  )
  const expected_seconds = repeatsFrames(probe) ? REPEATING_SHARE * seconds : seconds
  const search_seconds = TIME_SHARE * expected_seconds - PROBE_START_SECONDS
  // The estimate leaves out frames of the source that a faster result does not show, but samples decode them too.
  const counted_frames = Math.max(...passes.map((pass) => pass.seconds)) * probe.video.frames_per_second
  const left_out_seconds = decodeSeconds(Math.max(0, count * source - counted_frames), probe.video)
  const frame_seconds = (seconds + left_out_seconds) / count
  return {
    // Repeated frames take an encoder much less time than the estimate says.
    frames: Math.floor(search_seconds / frame_seconds / encoded),
    lead_frames: decodeSeconds(leadFrames(ranges, probe), probe.video) / frame_seconds,
  }
}

/** Returns how many frames are decoded before a sample, because decoding starts at a keyframe before its range. */
function leadFrames(ranges: readonly TimeRange[], { duration_seconds, video }: MediaProbe): number {
  const seconds = secondsOf(ranges)
  if (seconds >= duration_seconds) return 0
  // A sample lies in the middle of its range on average.
  const inside = seconds / ranges.length / 2
  return (Math.max(0, KEYFRAMES_SECONDS - inside) / 2) * video.frames_per_second
}

/** Returns how many probes encode how many samples, with how many frames together; null if there is no time for one. */
function sizeSamples(
  { frames: budget, lead_frames }: Budget,
  { video: { width, height } }: MediaProbe,
): { probes_max: number; count: number; frames: number } | null {
  if (!(budget - lead_frames >= FRAMES_MIN)) return null
  const probes_max = budget - 2 * lead_frames < 2 * PROBE_FRAMES_MIN ? 1 : 2
  const probed = Math.floor(budget / probes_max)
  const most = Math.min(SAMPLES_MAX, Math.floor(SAMPLED_PIXELS_MAX / (width * height)))
  const count = Math.max(1, Math.min(most, Math.floor(probed / (SAMPLE_FRAMES.min + lead_frames))))
  return {
    ...{ probes_max, count },
    frames: Math.min(Math.floor(probed - count * lead_frames), count * SAMPLE_FRAMES.max),
  }
}

function isSeekable({ container, video, clock_restarts, missing_seconds }: MediaProbe): boolean {
  if (!isIndexed({ container }) || clock_restarts || missing_seconds !== undefined) return false
  if (video.lacks_display_times || video.width * video.height > SOURCE_PIXELS_MAX) return false
  return !hasVariableRate(video) || isSlightlyVariable(video)
}

interface Samples {
  samples: readonly Sample[]
  /** Of the source, in each sample. */
  frames: number
  /** Of the encoded frames. */
  size: { width: number; height: number }
}

/** Reads samples of the source, each from a keyframe on, joins them, and draws on them what the edits draw. */
function readSamples(
  edits: readonly VideoEdit[],
  probe: MediaProbe,
  { samples, frames, size }: Samples,
  source: string,
): Pick<RateSearch, 'inputs' | 'filter_graph'> {
  const { video } = probe
  const count = samples.length
  const { options, filters } = normalizeFrames(probe)
  const shown = shownSource(edits, probe, size)
  const heads = samples.map((sample, number) => {
    const read = [...trimRange(sample, probe), ...filters, `trim=end_frame=${frames}`, ...shown]
    return `[${number}:${video.index}]${[...read, 'setpts=PTS-STARTPTS'].join(',')}[sample${number}]`
  })
  const labels = samples.map((_, number) => `[sample${number}]`).join('')
  const drawn = renderFrames(prepareEdits(edits, probe, count), size, ['[joined]', '[samples]'])
  return {
    inputs: [
      ...samples.map(({ at }) => ({
        file: source,
        options: [
          ...['-thread_queue_size', '1', ...options, ...probeOptions(probe)],
          ...seekOptions(probe, at),
        ],
        reads_seconds: frames / video.frames_per_second + KEYFRAME_SECONDS,
      })),
      ...edits.flatMap(({ files }) => files.map(({ file, options }) => ({ file, options: [...options] }))),
    ],
    filter_graph: [...heads, `${labels}concat=n=${count}[joined]`, ...drawn].join(';'),
  }
}

/** Drops what was read before and after the range of a sample. Times are relative to where reading should start. */
function trimRange({ start, end, at }: Sample, { duration_seconds }: MediaProbe): string[] {
  const bounds = [
    ...(start > 0 ? [`start=${ffmpegSeconds(start - at)}`] : []),
    ...(end < duration_seconds ? [`end=${ffmpegSeconds(end - at)}`] : []),
  ]
  const lead = start > 0 ? dropEarly(start - at - LEAD_SECONDS_MAX) : []
  return bounds.length === 0 ? [] : [...lead, `trim=${bounds.join(':')}`]
}
