import { estimateCopiedCutSeconds, estimateEncodeSeconds } from './encode-seconds.ts'
import type { Plan, ServiceSlug } from './operation.ts'
import type { EmojiStep, SourceFrames } from './steps.ts'

/**
 * Queues of the fleet, by the kind of work: images; quick video work (frames, copies, short encodes); long encodes;
 * links. Short jobs therefore never wait behind long ones, and each lane can have machines of its own.
 */
export const LANES = ['image', 'quick', 'long', 'link'] as const
export type Lane = (typeof LANES)[number]

/** What is known about a job before its input is probed. */
export interface KnownWork {
  service_slug: ServiceSlug
  operation_key: string
  pipeline: readonly { operation_key: string }[]
  source: { kind: string }
  /** Absent for inputs that the fleet imports. */
  input_bytes?: number | undefined
}

/**
 * Video operations that mostly read a frame, copy streams or write a short part. Their jobs start in the quick lane,
 * whatever the size of the input.
 */
export const QUICK_OPERATIONS: readonly string[] = [
  ...['thumbnail', 'cover', 'gif', 'trim'],
  ...['faststart', 'mute', 'strip_metadata', 'device_meta', 'extract_audio'],
]

/** Encodes of larger inputs go straight to the long lane: a minute of 1080p video has about this many bytes. */
const LONG_BYTES_MIN = 64 * 1024 * 1024

/**
 * Chooses the lane of a job by what is known at dispatch. An unknown length counts as short, because probing is cheap
 * and a worker of the quick lane hands long work over; work that waits in the long lane would not come back.
 */
export function chooseLane(work: KnownWork): Lane {
  if (work.service_slug === 'image') return 'image'
  if (work.source.kind === 'link') return 'link'
  const keys = [work.operation_key, ...work.pipeline.map(({ operation_key }) => operation_key)]
  if (keys.every((key) => QUICK_OPERATIONS.includes(key))) return 'quick'
  return (work.input_bytes ?? 0) >= LONG_BYTES_MIN ? 'long' : 'quick'
}

/** Longest estimated work of the quick lane: about 24 seconds of 1080p video at 30 frames per second. */
export const QUICK_SECONDS_MAX = 20

/** Time in seconds to process one second of audio. */
const AUDIO_SECONDS = 0.005
/** Time to filter and encode one second of audio beside copied video: measured as CPU time of enhance_voice. */
const FILTERED_SECONDS = 0.04
const TRANSCRIBED_SECONDS = 0.5

/** Pixels that are rendered per second to find the place of an emoji, and to write a frame with emoji. Measured. */
const EMOJI_PIXELS_PER_SECOND = 120_000_000

/** Estimates how long it takes to place colored emoji, with a frame for each, and to draw the frames that show some. */
function estimateEmojiSeconds({ emoji, frames, size }: EmojiStep): number {
  const drawn = frames.filter((frame) => frame.emoji.length > 0).length
  return ((emoji.length + drawn) * size.width * size.height) / EMOJI_PIXELS_PER_SECOND
}

/**
 * Estimates how long the steps of a plan take, in seconds. Copies take no time, however long the video.
 * @param source the frames of the input; null if it has no video or nothing but its length is known
 */
export function estimatePlanSeconds(plan: Plan, source: SourceFrames | null): number {
  const { steps, encode_mode } = plan
  const emoji_seconds = steps.reduce(
    (sum, step) => sum + (step.kind === 'emoji' ? estimateEmojiSeconds(step) : 0),
    0,
  )
  if (encode_mode === null || encode_mode === 'remux') return emoji_seconds
  const written = steps.map((step) => (step.kind === 'ffmpeg' ? (step.output_duration_seconds ?? 0) : 0))
  const audio_seconds = encode_mode === 'video_copy' ? FILTERED_SECONDS : AUDIO_SECONDS
  // The passes of a plan that copies are those of its fallback, which rarely runs.
  const encode_seconds = steps.some(({ kind }) => kind === 'check_cut')
    ? estimateCopiedCutSeconds(steps, source ?? undefined)
    : estimateEncodeSeconds(plan, source ?? undefined)
  return emoji_seconds + encode_seconds + Math.max(0, ...written) * audio_seconds
}

/** Estimates how long it takes to gather the facts that listen to the whole audio. */
export function estimateFactSeconds(facts: readonly string[], duration_seconds: number): number {
  const listened = facts.filter((name) => name === 'loudness' || name === 'silences').length
  const transcribed = facts.includes('transcript') ? TRANSCRIBED_SECONDS : 0
  return duration_seconds * (transcribed + listened * AUDIO_SECONDS)
}
