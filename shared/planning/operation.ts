import type { z } from 'zod'
import type { ImageEdit, VideoEdit } from '../ffmpeg/edit.ts'
import type { Texts } from '../text/texts.ts'
import type { FactName, Facts } from './facts.ts'
import type { SpreadEncode } from './spread.ts'
import type { FramePass, Step } from './steps.ts'

/** The services that accept jobs (Contract: Catalog, Services). */
export const SERVICE_SLUGS = ['video', 'image'] as const
export type ServiceSlug = (typeof SERVICE_SLUGS)[number]

/** Kind of input that an operation accepts: a file, or a public video link. */
export type AcceptedKind = 'video' | 'image' | 'link'

/** How much of the video and audio was encoded (Contract: Video operations, Encoding). */
export const ENCODE_MODES = ['remux', 'video_copy', 'audio_copy', 'encode'] as const
export type EncodeMode = (typeof ENCODE_MODES)[number]

/** Why a cut encoded all of the video instead of copying most of it (Contract: Video operations, Trim). */
export const ENCODE_REASONS = [
  'codec',
  'container',
  'hidden_frames',
  'frame_rate',
  'timestamps',
  'too_little',
  'no_keyframe',
  'estimate',
  'mismatch',
] as const
export type EncodeReason = (typeof ENCODE_REASONS)[number]

/** A named set of params that users can pick instead of filling in the fields. */
export interface Preset {
  label: string
  params: Record<string, unknown>
}

/** A file that a plan writes to the job folder and that becomes part of the result. */
interface Output {
  /** Name in the job folder; its extension determines the content type (formats.ts). */
  file: string
}

/** The steps of a job as data. The executor in the fleet runs them in order. */
export interface Plan {
  /** null if the output contains no video or audio from the input (images, thumbnails). */
  encode_mode: EncodeMode | null
  steps: Step[]
  /** Passes that the steps make over the frames of a video; absent if there is nothing to limit (work.ts). */
  passes?: readonly FramePass[]
  /** The first output is the `url` of the result. */
  outputs: [Output, ...Output[]]
  /** A copy of the input. It replaces the result if the result is larger than both the input and the copy. */
  never_larger?: { input_bytes: number; copy: Plan }
  /** Replaces this plan if one of its steps fails or finds the result wrong. */
  fallback?: Plan
  /** How several workers can share the encode; absent if it runs in one piece (shared/ffmpeg/spread/). */
  spread?: SpreadEncode
  /** Fields that the operation adds to `result.body`, in addition to those measured on the result. */
  body?: Record<string, unknown>
  /** Base name of the result, used instead of the input's name; for example, the title of a linked video. */
  input_name?: string
}

/**
 * Refusal of a plan because of the facts: the parameter at fault, and a message for the caller that is worded to follow
 * the name of the parameter.
 */
export interface PlanRefusal {
  refused: { field: string | null; message: Texts }
}

/** A file to download into the job folder as `asset-{name}` before the facts are gathered. */
export interface AssetRequest {
  /** Path of the parameter with the URL, joined by dots: "logo_url", "tracks.0.url". */
  name: string
  url: string
  kind: 'image' | 'audio' | 'text'
  /** Language of a text file (ISO 639-1 or 'auto'), which helps detect its encoding. */
  language?: string
}

/** What to download from a public video link before planning (LinkFacts in facts.ts). */
export interface LinkRequest {
  /** null downloads only the metadata. */
  media: 'video' | 'audio' | 'thumbnail' | null
  /** Maximum length of the shorter side; null means the best available. */
  lines_max: number | null
  /** Preferred audio codec, if the site provides it. */
  audio_codec: 'aac' | 'mp3' | 'opus' | null
  comments_max: number
  /** True if the job also processes the download. Processing has a separate length ceiling. */
  processes: boolean
}

export interface PlanInput<Parameters extends z.ZodObject, Needed extends FactName> {
  params: z.output<Parameters>
  facts: Pick<Facts, Needed>
}

export interface Operation<Parameters extends z.ZodObject = z.ZodObject, Needed extends FactName = FactName> {
  service: ServiceSlug
  key: string
  title: string
  description: string
  /** Price shown in the catalog. Jobs are charged by the time tariff. */
  credits: number
  accepts: readonly AcceptedKind[]
  /** Groups a video and an image operation that do the same kind of work. */
  family: string | null
  parameters: Parameters
  presets: readonly Preset[]
  /** All fields that `result.body` can contain when the operation runs alone (result-body.ts). */
  result_body: z.ZodObject
  /** Facts that the fleet gathers before it requests the plan. */
  facts: readonly Needed[]
  /** Returns the facts that need not be gathered with these params, because the plan does not read them. */
  unneededFacts?(params: z.output<Parameters>): readonly Needed[]
  /** Returns the files that the params reference by URL, such as a logo (Facts.assets). */
  assets?(params: z.output<Parameters>): AssetRequest[]
  /** Returns what to download; only for operations on links. */
  link?(params: z.output<Parameters>): LinkRequest
  /** False if an administrator must enable the operation first. */
  enabled_by_default?: false
  /** Maximum retention of the result in hours, for every tier. */
  result_hours_max?: number
  /**
   * Returns an edit that a pipeline can chain with others in one run (shared/ffmpeg/edit.ts). The operation's plan
   * is derived from the edit.
   */
  edit?(input: PlanInput<Parameters, Needed>): VideoEdit | ImageEdit | PlanRefusal
  /** Checks whether the operation must end a pipeline with these params, even though it has an edit. */
  endsPipeline?(params: z.output<Parameters>): boolean
  /** True if the operation only runs the operations in params.operations and is refused without them. */
  requiresPipeline?: boolean
  /** Plans the job. Pure: no clock, randomness or I/O. */
  plan(input: PlanInput<Parameters, Needed>): Plan | PlanRefusal
}

/** Ties together the types of an operation's params and facts; does nothing at run time. */
export function defineOperation<Parameters extends z.ZodObject, Needed extends FactName>(
  operation: Operation<Parameters, Needed>,
): Operation<Parameters, Needed> {
  return operation
}

export function refuse(field: string | null, message: Texts): PlanRefusal {
  return { refused: { field, message } }
}
