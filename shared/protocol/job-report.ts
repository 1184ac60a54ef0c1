import { z } from 'zod'

/** Replaces characters that databases cannot store. File names and tags can contain anything. */
const text = z.string().transform((value) => value.toWellFormed().replaceAll('\0', ''))
/** 30 days. No job takes that long, and milliseconds remain exact. */
const SECONDS_MAX = 30 * 24 * 60 * 60
const processing_seconds = z.number().min(0).max(SECONDS_MAX)

/**
 * A report that the fleet sends to POST {edge}/internal/callbacks, signed (signature.ts).
 *
 * `fence` increases with every attempt, so a stalled worker cannot overwrite the result of its
 * successor. `fenceOf` computes it.
 */
const base = { job_id: text, fence: z.int().min(1), at: z.iso.datetime() }

/** Maximum length of the name of a result file, in UTF-16 code units. */
export const RESULT_FILENAME_LENGTH_MAX = 120

export const ResultFile = z.object({
  key: text,
  filename: text,
  content_type: text,
  size_bytes: z.int().min(0),
  sha256: text,
  /** The copy in the storage of the customer, as `storage://NAME/KEY`. */
  exported_to: text.optional(),
})
export type ResultFile = z.infer<typeof ResultFile>

export const ERROR_CODES = [
  'input_unreadable',
  'input_too_long',
  'input_too_large',
  'wrong_kind',
  'parameter_refused',
  'download_failed',
  'time_limit',
  'output_too_large',
  'export_failed',
  'processing_failed',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** Why a job failed: a name and facts, from which the edge writes the sentence in the caller's language. */
export const FailureReport = z.object({ name: text, facts: z.record(z.string(), z.unknown()) })

/** Size of the input. The edge uses it to measure processing times. Contract: Jobs, Quote. */
export const InputSize = z.object({
  /** Null for images, and for links if only metadata is fetched. */
  duration_seconds: z.number().min(0).nullable(),
  /** Total of all frames of an image; null for videos. */
  megapixels: z.number().min(0).nullable(),
})
export type InputSize = z.infer<typeof InputSize>

export const Outcome = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('done'),
    /** Time from pickup to the last step, plus that of the export, measured on the worker. */
    processing_seconds,
    files: z.array(ResultFile).min(1),
    /** Measurements of the operation; becomes `result.body`. */
    body: z.record(z.string(), z.unknown()),
    /** Absent in reports of older fleets. */
    input: InputSize.optional(),
    /**
     * Time that the job typically takes on two cores (shared/planning/typical-times.ts). Absent in reports of older
     * fleets. An invalid estimate does not refuse a result.
     */
    typical_seconds: z.number().positive().max(SECONDS_MAX).optional().catch(undefined),
  }),
  z.object({
    status: z.literal('failed'),
    processing_seconds: processing_seconds.nullable(),
    /** The sentence in English. */
    error: text,
    error_code: z.enum(ERROR_CODES),
    /** Absent in reports of older fleets. */
    reason: FailureReport.optional(),
  }),
])
export type Outcome = z.infer<typeof Outcome>

export const JobReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('job.started'), ...base }),
  z.object({ type: z.literal('job.progress'), ...base, progress: z.int().min(0).max(100) }),
  z.object({
    type: z.literal('job.finished'),
    ...base,
    /** As in the dispatch. Absent in reports of older fleets. */
    account_id: z.int().nullable().optional(),
    started_at: z.iso.datetime(),
    outcome: Outcome,
  }),
])
export type JobReport = z.infer<typeof JobReport>

/**
 * The edge's response. `continue: false` means that the job has ended or another attempt owns it; the worker then
 * stops.
 */
export const JobReportResponse = z.object({ continue: z.boolean() })
export type JobReportResponse = z.infer<typeof JobReportResponse>

/** A fence is the dispatch number times this, plus the attempt number. */
export const ATTEMPTS_PER_DISPATCH = 1000

/** Returns a fence that increases with every attempt, even if the fleet's queue is lost in between. */
export function fenceOf(dispatch: number, attempt: number): number {
  return dispatch * ATTEMPTS_PER_DISPATCH + Math.min(attempt, ATTEMPTS_PER_DISPATCH - 1)
}
