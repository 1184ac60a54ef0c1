import type { FactName } from '../../shared/planning/facts.ts'
import { contentTypeOf } from '../../shared/planning/formats.ts'
import type { EncodeMode, Plan } from '../../shared/planning/operation.ts'
import type { Step } from '../../shared/planning/steps.ts'
import type { Source } from '../../shared/protocol/dispatch.ts'

/**
 * Divides a job's progress among its parts (fetching, facts, steps and upload) by their estimated times. All times
 * are rough estimates in seconds; only their ratios matter.
 */

/** Share of the job for fetching: first the input, then the assets. Used while their sizes are unknown. */
export const FETCHING_SHARE = 0.1

/**
 * Minimum time for moving a file, relative to the work. Each transfer is then a tenth of a job with a download and
 * an upload.
 */
const MOVING_PER_WORK = 1 / 8

const BYTES_PER_SECOND = {
  /** Transfers between the fleet and the object storage. */
  storage: 50 * 1024 ** 2,
  /** Downloads from external servers. */
  import: 2 * 1024 ** 2,
  /** Processing images with sharp. */
  drawing: 10 * 1024 ** 2,
}

/** Time in seconds to write one second of video. */
const WRITING_SECONDS: Record<EncodeMode, number> = {
  remux: 0.005,
  video_copy: 0.02,
  audio_copy: 0.5,
  encode: 0.5,
}

/** Corresponds to 160 kbit/s. */
const AUDIO_BYTES_PER_SECOND = 20_000

/** Time for programs to start and to read the file. */
const WORK_SECONDS_MIN = 1

/** After this time, a file of unknown size counts as half received. */
const UNKNOWN_SIZE_SECONDS = 60

/**
 * Returns the progress of fetching, from 0 to 1. A file that takes less than a second never reaches 1, because
 * small files take no visible share.
 */
export function weighFetched(kind: Source['kind'], done_bytes: number, total_bytes: number | null): number {
  const bytes_per_second = kind === 'object' ? BYTES_PER_SECOND.storage : BYTES_PER_SECOND.import
  const done_seconds = done_bytes / bytes_per_second
  if (total_bytes === null) return done_seconds / (done_seconds + UNKNOWN_SIZE_SECONDS)
  return total_bytes > 0 ? Math.min(1, total_bytes / bytes_per_second) * (done_bytes / total_bytes) : 0
}

/** Facts that take a long time to gather. */
const LONG: readonly FactName[] = ['transcript', 'loudness', 'link']

/**
 * Returns the share of the remaining progress that gathering facts takes once the input is fetched. Transcribing
 * and measuring take as long as encoding, or are the only work. Media from a link is also uploaded.
 */
export function weighFacts(facts: readonly FactName[], is_edit: boolean): number {
  if (!facts.some((name) => LONG.includes(name))) return 0
  if (is_edit) return 0.5
  return facts.includes('transcript') ? 0.95 : 0.8
}

/** The properties of a job's input that are known when its plan is made. */
export interface Input {
  bytes: number
  /** Number of bytes that the plan still needs to download. */
  missing_bytes: number
  /** null for an image. */
  duration_seconds: number | null
}

/**
 * Returns the share of the remaining work that fetching takes, and the share of the work after it that the steps
 * take. The upload takes the rest.
 */
export function weighPlan(plan: Plan, input: Input): { fetching: number; steps: number } {
  const work = workSeconds(plan, input)
  const weigh = (bytes: number) => {
    const seconds = bytes / BYTES_PER_SECOND.storage
    return Math.max(seconds, Math.min(1, seconds) * MOVING_PER_WORK * work)
  }
  const fetching = weigh(input.missing_bytes)
  const upload = weigh(resultBytes(plan, input))
  return { fetching: fetching / (fetching + work + upload), steps: work / (work + upload) }
}

function workSeconds({ steps, encode_mode }: Plan, { bytes, duration_seconds }: Input): number {
  const seconds =
    duration_seconds === null
      ? bytes / BYTES_PER_SECOND.drawing
      : sum(steps.map(writtenSeconds)) * WRITING_SECONDS[encode_mode ?? 'encode']
  return Math.max(WORK_SECONDS_MIN, seconds)
}

/**
 * Estimates the size of the result: proportional to the used part of the input, based on a fixed rate for audio,
 * and almost nothing for images and text extracted from a video.
 */
function resultBytes({ steps, outputs }: Plan, { bytes, duration_seconds }: Input): number {
  if (duration_seconds === null) return bytes
  const written_seconds = Math.max(0, ...steps.map(writtenSeconds))
  const types = outputs.map(({ file }) => contentTypeOf(file))
  if (types.some((type) => type.startsWith('audio/'))) return written_seconds * AUDIO_BYTES_PER_SECOND
  if (!types.some((type) => type.startsWith('video/') || type === 'image/gif')) return 0
  return bytes * Math.min(1, written_seconds / Math.max(duration_seconds, written_seconds, 1))
}

/**
 * Returns the share of each step according to the seconds that it writes; the shares add up to 1. Next to a video,
 * text and images count as nothing. Without video, all steps are equal.
 */
export function weighSteps(steps: readonly Step[]): number[] {
  const seconds = steps.map(writtenSeconds)
  const total = sum(seconds)
  return seconds.map((each) => (total > 0 ? each / total : 1 / steps.length))
}

function writtenSeconds(step: Step): number {
  return step.kind === 'ffmpeg' ? (step.output_duration_seconds ?? 0) : 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
