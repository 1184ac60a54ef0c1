import type { InputSize } from '../protocol/job-report.ts'
import { estimateFactSeconds, estimatePlanSeconds } from './lanes.ts'
import type { Plan } from './operation.ts'
import type { Stage } from './pipeline.ts'
import { passPixels } from './work.ts'

/*
 * The figures below are CPU seconds, measured with `bash`'s `time` and /proc on real jobs: five seconds of 1080p video
 * with 30 frames per second, and a photo of 12 megapixels. A job that shares two cores with another takes about as long.
 */

/** Opening, probing and storing the files of a job. */
const START_SECONDS = 0.3
/** Reading and copying a minute of media. */
const READ_SECONDS_PER_MINUTE = 0.3
/** yt-dlp reads the page of a link before it downloads. Not measured. */
const LINK_SECONDS = 5

const SOURCE_PIXELS_PER_SECOND = 1920 * 1080 * 30
const DECODED_PIXELS_PER_SECOND = 300_000_000
const DRAWN_PIXELS_PER_SECOND = 600_000_000
const ENCODED_PIXELS_PER_SECOND = 100_000_000

/**
 * How much longer than x264 with the preset veryfast an encoder or a preset takes. The figures of superfast, faster and
 * fast are between those measured for their neighbors.
 */
const ENCODER_FACTORS: Readonly<Record<string, number>> = { libx265: 4.5, 'libvpx-vp9': 6.4 }
const PRESET_FACTORS: Readonly<Record<string, number>> = {
  ultrafast: 0.35,
  superfast: 0.6,
  veryfast: 1,
  faster: 1.3,
  fast: 1.6,
  medium: 1.9,
  slow: 2.7,
}

const IMAGE_MEGAPIXELS = 12
const IMAGE_SECONDS: Readonly<Record<string, number>> = {
  resize: 0.2,
  compress: 0.3,
  convert: 0.3,
  crop: 0.3,
  circle: 0.3,
  transform: 0.4,
  enhance: 1.3,
  social: 0.3,
  web_optimize: 0.3,
  strip_meta: 0.3,
  device_meta: 0.6,
  watermark: 0.5,
  edit: 0.5,
}
/** Further time of writing an image in another format than JPEG. */
const FORMAT_SECONDS: Readonly<Record<string, number>> = { webp: 1.2, avif: 3.2, png: 0.7 }

/** No job takes longer than a day. */
const SECONDS_MAX = 24 * 60 * 60

/**
 * Estimates the processing time of a job on two cores, in seconds. Real fleets are faster or slower by a factor, which
 * the edge measures for each operation (edge/jobs/rules/estimate.ts).
 */
export function estimateJobSeconds(stages: readonly Stage[], plan: Plan, size: InputSize): number {
  if (size.megapixels !== null) return imageSeconds(stages, size.megapixels)
  return estimateVideoSeconds(stages, plan, size.duration_seconds ?? 0)
}

/** Estimates the time of a job on an image. Operations of a pipeline share one run, so the slowest one counts. */
export function imageSeconds(stages: readonly Stage[], megapixels: number): number {
  const drawing = Math.max(...stages.map(({ operation }) => IMAGE_SECONDS[operation.key] ?? 1))
  const writing = Math.max(...stages.map(({ params }) => FORMAT_SECONDS[String(params.format)] ?? 0))
  return Math.min(SECONDS_MAX, START_SECONDS + ((drawing + writing) * megapixels) / IMAGE_MEGAPIXELS)
}

/** Estimates the time of a job on a video or a link from its plan. */
export function estimateVideoSeconds(stages: readonly Stage[], plan: Plan, duration_seconds: number): number {
  const is_link = stages.some(({ operation }) => operation.accepts.includes('link'))
  const seconds =
    START_SECONDS +
    (is_link ? LINK_SECONDS : 0) +
    (duration_seconds / 60) * READ_SECONDS_PER_MINUTE +
    estimateFactSeconds(factsOf(stages), duration_seconds) +
    encodeSeconds(plan)
  return Math.min(SECONDS_MAX, seconds)
}

/** Estimates the time of decoding, drawing and encoding. The last pass is that of the encoder. */
function encodeSeconds(plan: Plan): number {
  const { passes = [] } = plan
  const encoded = passes.at(-1)
  // Plans without passes, and those that copy most of a cut, take the time that lanes.ts expects.
  if (encoded === undefined || plan.steps.some(({ kind }) => kind === 'check_cut'))
    return estimatePlanSeconds(plan)
  const longest_seconds = Math.max(...passes.map(({ seconds }) => seconds))
  const drawn = passes.slice(0, -1).reduce((sum, pass) => sum + passPixels(pass), 0)
  return (
    (longest_seconds * SOURCE_PIXELS_PER_SECOND) / DECODED_PIXELS_PER_SECOND +
    drawn / DRAWN_PIXELS_PER_SECOND +
    (passPixels(encoded) / ENCODED_PIXELS_PER_SECOND) * encoderFactor(plan)
  )
}

function encoderFactor({ steps }: Plan): number {
  const factors = steps.map((step) => {
    if (step.kind !== 'ffmpeg') return 0
    const { options } = step.output
    const of = (name: string) => options[options.indexOf(name) + 1] ?? ''
    return ENCODER_FACTORS[of('-c:v')] ?? PRESET_FACTORS[of('-preset')] ?? 0
  })
  return Math.max(...factors) || 1
}

function factsOf(stages: readonly Stage[]): string[] {
  return stages.flatMap(({ operation, params }) => {
    const unneeded = operation.unneededFacts?.(params) ?? []
    return operation.facts.filter((name) => !unneeded.includes(name))
  })
}
