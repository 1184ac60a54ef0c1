import type { Job, ResultBody } from '../../client/src/index.ts'
import { formatBytes, formatClock, formatNumber, formatSeconds, languageName } from '../text/format.ts'
import { encodeReasonTexts } from './encode-reason-texts.ts'
import { factTexts } from './fact-texts.ts'

export interface Fact {
  label: string
  value: string
}

/** What is known about the input. */
export interface InputMeasures {
  size_bytes?: number | undefined
  width?: number | undefined
  height?: number | undefined
  duration_seconds?: number | undefined
}

type Result = NonNullable<Job['result']>
type FieldOf<Body> = Body extends unknown ? keyof Body : never
type Field = FieldOf<ResultBody>
type Values = Readonly<Record<string, unknown>>
/** Returns what to show for a field of a result, or null if there is nothing to say. */
type Describe = (value: unknown, body: Values, input: InputMeasures) => Fact | null

const t = factTexts

/** Fields that are shown elsewhere: as notes, as text, or as information on the link. */
type Elsewhere =
  | 'height'
  | 'missing_seconds'
  | 'alpha_dropped'
  | 'input_kept'
  | 'larger_than_input'
  | 'frames_dropped'
  | 'from_preview'
  | 'text'
  | 'text_is_cut'
  | 'info'
  | 'stats'
  | 'analytics'
  | 'chapters'
  | 'thumbnails'
  | 'formats'
  | 'comments_count'

/** Every field that an operation returns, in the order in which they are shown. */
const FIELDS: Record<Exclude<Field, Elsewhere>, Describe> = {
  width: (_, body, input) => describeDimensions(body, input),
  duration_seconds: (value, _, { duration_seconds: before }) => {
    if (typeof value !== 'number') return null
    const isChanged = before !== undefined && Math.abs(before - value) >= 0.5
    return { label: t().duration, value: change(isChanged ? formatClock(before) : null, formatClock(value)) }
  },
  format: (value) => (typeof value === 'string' ? { label: t().format, value: nameOfFormat(value) } : null),
  encode_mode: (value) => {
    const { encoding: label, remux, video_copy, audio_copy, encode } = t()
    const name = new Map(Object.entries({ remux, video_copy, audio_copy, encode })).get(String(value))
    return name === undefined ? null : { label, value: name }
  },
  copied_seconds: (value) =>
    typeof value === 'number' ? { label: t().copied, value: formatSeconds(value) } : null,
  encode_reason: (value) => {
    const name = new Map(Object.entries(encodeReasonTexts())).get(String(value))
    return name === undefined ? null : { label: t().encode_reason, value: name }
  },
  quality: (value) => count(t().quality, value),
  lossless: (value) => (value === true ? { label: t().quality, value: t().lossless } : null),
  user_data_removed: (value) =>
    typeof value === 'number' ? { label: t().user_data, value: t().user_data_removed(value) } : null,
  language: (value) => (typeof value === 'string' ? describeLanguage(value) : null),
  words: (value) => count(t().words, value),
  subtitles: (value) => count(t().subtitles, value),
  encoding: (value) => (typeof value === 'string' ? { label: t().characters, value } : null),
  cuts: (value) => count(t().cuts, value),
  pauses: (value) => count(t().pauses, value),
  fillers: (value) => count(t().fillers, value),
  retakes: (value) => count(t().retakes, value),
  removed_seconds: (value) =>
    typeof value === 'number' ? { label: t().removed, value: formatSeconds(value) } : null,
  source_loudness_lufs: (value) => {
    if (value === null) return { label: t().loudness, value: t().silent }
    return typeof value === 'number' ? { label: t().loudness, value: `${formatNumber(value)} LUFS` } : null
  },
}

/** Lists what a result says about itself, and how it differs from the input. Skips unknown fields. */
export function listFacts(job: Pick<Job, 'operation_key'>, result: Result, input: InputMeasures): Fact[] {
  const body: Values = { ...result.body }
  const size = change(
    input.size_bytes === undefined ? null : formatBytes(input.size_bytes),
    formatBytes(result.size_bytes),
  )
  const described = Object.entries(FIELDS).map(([field, describe]) =>
    field in body ? describe(body[field], body, input) : null,
  )
  return [{ label: t().size, value: size }, ...described, describeMetadata(job)].filter(
    (fact) => fact !== null,
  )
}

/** Lists what users may not expect of a result, as sentences. */
export function listNotes({ body }: Pick<Result, 'body'>): string[] {
  const {
    missing_seconds,
    alpha_dropped,
    input_kept,
    larger_than_input,
    frames_dropped,
    from_preview,
  }: Values = {
    ...body,
  }
  return [
    typeof missing_seconds === 'number' && t().missing(formatSeconds(missing_seconds)),
    alpha_dropped === true && t().alpha_dropped,
    input_kept === true && t().input_kept,
    larger_than_input === true && t().larger_than_input,
    from_preview === true && t().from_preview,
    typeof frames_dropped === 'number' && frames_dropped > 0 && t().frames_dropped(frames_dropped),
  ].filter((note) => note !== false)
}

function describeDimensions({ width, height }: Values, input: InputMeasures): Fact | null {
  if (typeof width !== 'number' || typeof height !== 'number') return null
  const isChanged = input.width !== undefined && (input.width !== width || input.height !== height)
  const before = isChanged ? `${input.width} × ${input.height}` : null
  return { label: t().dimensions, value: change(before, `${width} × ${height}`) }
}

function describeLanguage(code: string): Fact | null {
  const name = languageName(code)
  return name === null ? null : { label: t().language, value: name }
}

function describeMetadata({ operation_key }: Pick<Job, 'operation_key'>): Fact | null {
  if (/^strip_meta/.test(operation_key)) return { label: t().metadata, value: t().metadata_removed }
  return operation_key === 'device_meta' ? { label: t().metadata, value: t().metadata_replaced } : null
}

function count(label: string, value: unknown): Fact | null {
  return typeof value === 'number' ? { label, value: formatNumber(value) } : null
}

function change(before: string | null, after: string): string {
  return before === null || before === after ? after : `${before} → ${after}`
}

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  webm: 'WebM',
  webp: 'WebP',
  opus: 'Opus',
  ogg: 'Ogg',
}

function nameOfFormat(format: string): string {
  return FORMAT_NAMES[format] ?? format.toUpperCase()
}
