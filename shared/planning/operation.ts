import type { z } from 'zod'
import type { ImageEdit, VideoEdit } from '../ffmpeg/edit.ts'
import type { FactName, Facts } from './facts.ts'
import type { FramePass, Step } from './steps.ts'

/** The two services that jobs are addressed to (Contract: Catalog, Services). */
export const SERVICE_SLUGS = ['video', 'image'] as const
export type ServiceSlug = (typeof SERVICE_SLUGS)[number]

/** What an operation takes in: a file of one of two kinds, or a public video link. */
export type AcceptedKind = 'video' | 'image' | 'link'

/** How much of the sound and picture was encoded anew (Contract: Video operations, Encoding). */
export type EncodeMode = 'remux' | 'video_copy' | 'audio_copy' | 'encode'

/** A setting that a person would pick by its label instead of filling in the fields. */
export interface Preset {
  label: string
  params: Record<string, unknown>
}

/** One file that a plan leaves in the job's folder and that becomes part of the result. */
interface Output {
  /** Name in the job's folder; its extension says the format (see formats.ts). */
  file: string
}

/** What is to be done, as data: the executor in the fleet carries it out step by step. */
export interface Plan {
  /** null where nothing of the input's sound or picture lands in the output (images, thumbnails). */
  encode_mode: EncodeMode | null
  steps: Step[]
  /** Every pass over the frames of a video that the steps make. Absent: none worth bounding (see work.ts). */
  passes?: readonly FramePass[]
  /** The first is the result's `url`. */
  outputs: [Output, ...Output[]]
  /** A copy of the input that takes the place of the result if the result is larger than the input, and than the copy. */
  never_larger?: { input_bytes: number; copy: Plan }
  /** What the operation itself tells in `result.body` beside what is measured on the result. */
  body?: Record<string, unknown>
  /** What the result is named after instead of the input's name, e.g. the title of a linked video. */
  input_name?: string
}

/** A plan that can't be made from these facts: the parameter at fault and a sentence for a person. */
export interface PlanRefusal {
  refused: { field: string | null; message: string }
}

/** A file that is fetched into the job's folder as `asset-{name}` before the facts are gathered. */
export interface AssetRequest {
  /** The parameter that names it, its parts joined by dots: "logo_url", "tracks.0.url". */
  name: string
  url: string
  kind: 'image' | 'audio' | 'text'
  /** Of a text, as ISO 639-1 or 'auto': it narrows down the encoding. */
  language?: string
}

/** What of a public video link is fetched before the plan is made; see facts.ts, link. */
export interface LinkRequest {
  /** null: nothing, it is enough what the site tells. */
  media: 'video' | 'audio' | 'thumbnail' | null
  /** Shorter side of the picture at most; null: the best there is. */
  lines_max: number | null
  /** The codec that the sound should have where the site has it. */
  audio_codec: 'aac' | 'mp3' | 'opus' | null
  comments_max: number
  /** The job also works on what it fetched, which has a length ceiling of its own. */
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
  /** Baseline figure of the catalogue; what a job costs is the time tariff. */
  credits: number
  accepts: readonly AcceptedKind[]
  /** Shared by a video and an image operation that do the same kind of job. */
  family: string | null
  parameters: Parameters
  presets: readonly Preset[]
  /** The facts that the fleet gathers before it asks for the plan. */
  facts: readonly Needed[]
  /** Those of the facts that are not gathered with these parameters; the plan doesn't read them then. */
  unneededFacts?(params: z.output<Parameters>): readonly Needed[]
  /** Files besides the input that the parameters name by address, e.g. a logo; see facts.ts, assets. */
  assets?(params: z.output<Parameters>): AssetRequest[]
  /** For operations that take a link: what is fetched of it. */
  link?(params: z.output<Parameters>): LinkRequest
  /** False: an administrator switches it on first. */
  enabled_by_default?: false
  /** Its result lives this many hours at most, whatever the tier. */
  result_hours_max?: number
  /** For operations that a pipeline can chain in one run (see edit.ts); their plan follows from it. */
  edit?(input: PlanInput<Parameters, Needed>): VideoEdit | ImageEdit | PlanRefusal
  /** Tells whether it can only be the last operation of a pipeline with these parameters, although it has an edit. */
  endsPipeline?(params: z.output<Parameters>): boolean
  /** It does nothing by itself: without further operations (params.operations) it is refused, not billed. */
  requiresPipeline?: boolean
  /** Pure: no clock, no randomness, no input or output. */
  plan(input: PlanInput<Parameters, Needed>): Plan | PlanRefusal
}

/** Keeps the types of one operation's parameters and facts together; adds nothing at run time. */
export function defineOperation<Parameters extends z.ZodObject, Needed extends FactName>(
  operation: Operation<Parameters, Needed>,
): Operation<Parameters, Needed> {
  return operation
}

export function refuse(field: string | null, message: string): PlanRefusal {
  return { refused: { field, message } }
}
