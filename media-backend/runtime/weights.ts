import type { FactName } from '../../shared/planning/facts.ts'
import { contentTypeOf } from '../../shared/planning/formats.ts'
import type { EncodeMode, Plan } from '../../shared/planning/operation.ts'
import type { Step } from '../../shared/planning/steps.ts'
import type { Source } from '../../shared/protocol/dispatch.ts'

/*
 * How a job's progress is shared among its parts: fetching, facts, steps and upload, each by the time that
 * it takes. All times are in seconds and rough; only how they compare counts.
 */

/** What part of a job it is to fetch its input, or then what its parameters name, where no size is known yet. */
export const FETCHING_SHARE = 0.1

/** To move a file counts as this much of the work at least: a tenth of a job that fetches and uploads. */
const MOVING_PER_WORK = 1 / 8

const BYTES_PER_SECOND = {
  /** Our storage, to us and back. */
  storage: 50 * 1024 ** 2,
  /** A stranger's server. */
  import: 2 * 1024 ** 2,
  /** A picture through sharp. */
  drawing: 10 * 1024 ** 2,
}

/** To write one second of video. */
const WRITING_SECONDS: Record<EncodeMode, number> = {
  remux: 0.005,
  video_copy: 0.02,
  audio_copy: 0.5,
  encode: 0.5,
}

/** Of 160 kbit. */
const AUDIO_BYTES_PER_SECOND = 20_000

/** Programs start, and look at the file. */
const WORK_SECONDS_MIN = 1

/** Half of this time is behind half of a file whose sender doesn't tell its size. */
const UNKNOWN_SIZE_SECONDS = 60

/**
 * What part of FETCHING_SHARE is done, 0 to 1. What is fetched within a second never comes to the whole of
 * it: of a small file nothing is to be seen.
 */
export function weighFetched(kind: Source['kind'], done_bytes: number, total_bytes: number | null): number {
  const bytes_per_second = kind === 'object' ? BYTES_PER_SECOND.storage : BYTES_PER_SECOND.import
  const done_seconds = done_bytes / bytes_per_second
  if (total_bytes === null) return done_seconds / (done_seconds + UNKNOWN_SIZE_SECONDS)
  return total_bytes > 0 ? Math.min(1, total_bytes / bytes_per_second) * (done_bytes / total_bytes) : 0
}

/** What takes long to find out. */
const LONG: readonly FactName[] = ['transcript', 'loudness', 'link']

/**
 * What part the facts are of what is left once the input is there: to listen or measure takes as long as to
 * encode, or is all there is to do; what is fetched of a link is also uploaded.
 */
export function weighFacts(facts: readonly FactName[], is_edit: boolean): number {
  if (!facts.some((name) => LONG.includes(name))) return 0
  if (is_edit) return 0.5
  return facts.includes('transcript') ? 0.95 : 0.8
}

/** What is known of a job's input when its plan is made. */
export interface Input {
  bytes: number
  /** What the plan needs of it that is not there yet. */
  missing_bytes: number
  /** null: a picture. */
  duration_seconds: number | null
}

/**
 * What part fetching is of all that is left when the plan is made, and what part the steps are of all that
 * is left then; the upload is the rest.
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

/** About as much as of the input goes in, of a sound what it takes; next to nothing where a picture or a text is left. */
function resultBytes({ steps, outputs }: Plan, { bytes, duration_seconds }: Input): number {
  if (duration_seconds === null) return bytes
  const written_seconds = Math.max(0, ...steps.map(writtenSeconds))
  const types = outputs.map(({ file }) => contentTypeOf(file))
  if (types.some((type) => type.startsWith('audio/'))) return written_seconds * AUDIO_BYTES_PER_SECOND
  if (!types.some((type) => type.startsWith('video/') || type === 'image/gif')) return 0
  return bytes * Math.min(1, written_seconds / Math.max(duration_seconds, written_seconds, 1))
}

/**
 * What part of a plan's progress each step is, by the time that it writes; together they are 1. Texts and
 * pictures count for nothing beside a video, and all the same where there is nothing else.
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
