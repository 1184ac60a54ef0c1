import type { InputSize } from '../protocol/job-report.ts'
import { estimateFactSeconds, estimatePlanSeconds } from './lanes.ts'
import type { Plan } from './operation.ts'
import type { Stage } from './pipeline.ts'
import type { SourceFrames } from './steps.ts'

/*
 * The figures below are CPU seconds, measured with `bash`'s `time` and /proc on real jobs: a photo of 12 megapixels, and
 * the video of encode-seconds.ts. A job that shares two cores with another takes about as long.
 */

/** Opening, probing and storing the files of a job. Images need no other program for it. */
const START_SECONDS = 0.3
const IMAGE_START_SECONDS = 0.05
/** Reading and copying a minute of media. */
const READ_SECONDS_PER_MINUTE = 0.3
/** yt-dlp reads the page of a link before it downloads. Not measured. */
const LINK_SECONDS = 5

const IMAGE_MEGAPIXELS = 12
const IMAGE_SECONDS: Readonly<Record<string, number>> = {
  resize: 0.05,
  compress: 0.3,
  convert: 0.3,
  crop: 0.2,
  circle: 0.1,
  transform: 0.4,
  enhance: 1.3,
  social: 0.05,
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
export function estimateJobSeconds(
  stages: readonly Stage[],
  plan: Plan,
  size: InputSize,
  source: SourceFrames | null,
): number {
  if (size.megapixels !== null) return imageSeconds(stages, size.megapixels)
  return estimateVideoSeconds(stages, plan, size.duration_seconds ?? 0, source)
}

/** Estimates the time of a job on an image. Operations of a pipeline share one run, so the slowest one counts. */
export function imageSeconds(stages: readonly Stage[], megapixels: number): number {
  const drawing = Math.max(...stages.map(({ operation }) => IMAGE_SECONDS[operation.key] ?? 1))
  const writing = Math.max(...stages.map(({ params }) => FORMAT_SECONDS[String(params.format)] ?? 0))
  return Math.min(SECONDS_MAX, IMAGE_START_SECONDS + ((drawing + writing) * megapixels) / IMAGE_MEGAPIXELS)
}

/**
 * Estimates the time of a job on a video or a link from its plan.
 * @param source the frames of the input; null for those of a typical one
 */
export function estimateVideoSeconds(
  stages: readonly Stage[],
  plan: Plan,
  duration_seconds: number,
  source: SourceFrames | null = null,
): number {
  const is_link = stages.some(({ operation }) => operation.accepts.includes('link'))
  const seconds =
    START_SECONDS +
    (is_link ? LINK_SECONDS : 0) +
    (duration_seconds / 60) * READ_SECONDS_PER_MINUTE +
    estimateFactSeconds(factsOf(stages), duration_seconds) +
    estimatePlanSeconds(plan, source)
  return Math.min(SECONDS_MAX, seconds)
}

function factsOf(stages: readonly Stage[]): string[] {
  return stages.flatMap(({ operation, params }) => {
    const unneeded = operation.unneededFacts?.(params) ?? []
    return operation.facts.filter((name) => !unneeded.includes(name))
  })
}
