import { estimateEncodeSeconds, PROBE_START_SECONDS } from '../../planning/encode-seconds.ts'
import type { MediaProbe } from '../../planning/facts.ts'
import type { RateSearch } from '../../planning/steps.ts'
import { hasVariableRate, isSlightlyVariable } from '../cuts/cut.ts'
import { seekOptions } from '../cuts/source.ts'
import type { RateTarget, VideoEdit } from '../edit.ts'
import { encodedSize } from '../filters.ts'
import { prepareEdits, renderFrames, sourceSize } from '../graph.ts'
import { isIndexed, type VideoContainer } from '../output/containers.ts'
import { codecOf } from '../output/encoders.ts'
import { rateOptions } from '../output/streams.ts'
import { passesOf } from '../passes.ts'
import { sourceFilters } from '../video/colors.ts'
import { normalizeFrames } from '../video/normalize-frames.ts'
import { probeOptions } from '../video/short-probe.ts'

/**
 * The search is estimated to take at most this share of the time of the encode, its programs included. The measured CPU
 * time can be more than twice that (docs/quality.md).
 */
const TIME_SHARE = 0.11
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
 * Plans a search for the rate factor of an encode. Its edits cut nothing, and draw each frame by itself.
 * @returns null if the video is too short for its cost or if a seek could land anywhere.
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
  const budget = countFrames(edits, probe, options)
  if (!(budget >= FRAMES_MIN) || !isSeekable(probe)) return null
  if (Math.min(compared.width, compared.height) < COMPARED_SIDE_MIN) return null
  const probes_max = budget < 2 * PROBE_FRAMES_MIN ? 1 : 2
  const most = Math.min(
    SAMPLES_MAX,
    Math.floor(SAMPLED_PIXELS_MAX / (probe.video.width * probe.video.height)),
  )
  const count = Math.max(1, Math.min(most, Math.floor(budget / probes_max / SAMPLE_FRAMES.min)))
  const frames = Math.min(Math.floor(budget / probes_max), count * SAMPLE_FRAMES.max)
  const raise_max = (RISE_PER_SAMPLE / target.scale.growth) * count
  return {
    ...{ ...target, highest: Math.min(target.highest, target.lowest + raise_max) },
    ...{
      probes_max,
      compared,
      frames,
      encoder: [...options, ...rateOptions(after, codecOf(options), container)],
    },
    ...readSamples(edits, probe, { count, frames: Math.ceil(frames / count), size }, source),
  }
}

/** Returns how many frames the search can encode in its share of the time. */
function countFrames(edits: readonly VideoEdit[], probe: MediaProbe, options: string[]): number {
  const { duration_seconds, video } = probe
  const step = { kind: 'ffmpeg' as const, inputs: [], filter_graph: null, output_duration_seconds: null }
  const seconds = estimateEncodeSeconds(
    { steps: [{ ...step, output: { file: '', options } }], passes: passesOf(edits, probe) },
    video,
  )
  const share = TIME_SHARE - PROBE_START_SECONDS / seconds
  return Math.floor(share * duration_seconds * video.frames_per_second)
}

function isSeekable({ container, video, clock_restarts, missing_seconds }: MediaProbe): boolean {
  if (!isIndexed({ container }) || clock_restarts || missing_seconds !== undefined) return false
  if (video.lacks_display_times || video.width * video.height > SOURCE_PIXELS_MAX) return false
  return !hasVariableRate(video) || isSlightlyVariable(video)
}

interface Samples {
  count: number
  /** Of each sample. */
  frames: number
  /** Of the encoded frames. */
  size: { width: number; height: number }
}

/** Reads samples that are spread over the video, each from a keyframe on, and draws on them what the edits draw. */
function readSamples(
  edits: readonly VideoEdit[],
  probe: MediaProbe,
  { count, frames, size }: Samples,
  source: string,
): Pick<RateSearch, 'inputs' | 'filter_graph'> {
  const { video, duration_seconds } = probe
  const { options, filters } = normalizeFrames(probe)
  const shown = [...filters, ...sourceFilters(video, sourceSize(edits, probe, size))]
  const numbers = Array.from({ length: count }, (_, number) => number)
  const heads = numbers.map(
    (number) =>
      `[${number}:${video.index}]${[...shown, `trim=end_frame=${frames}`, 'setpts=PTS-STARTPTS'].join(',')}[sample${number}]`,
  )
  const labels = numbers.map((number) => `[sample${number}]`).join('')
  const drawn = renderFrames(prepareEdits(edits, probe, count), size, ['[joined]', '[samples]'])
  const samples = numbers.map((number) => ({
    file: source,
    options: [
      ...['-thread_queue_size', '1', ...options, ...probeOptions(probe)],
      ...seekOptions(probe, ((number + 0.5) / count) * duration_seconds),
    ],
  }))
  return {
    inputs: [
      ...samples,
      ...edits.flatMap(({ files }) => files.map(({ file, options }) => ({ file, options: [...options] }))),
    ],
    filter_graph: [...heads, `${labels}concat=n=${count}[joined]`, ...drawn].join(';'),
  }
}
