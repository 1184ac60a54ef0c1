import { z } from 'zod'

/** Text that any database stores: names and tags of files hold what their makers like. */
const text = z.string().transform((value) => value.toWellFormed().replaceAll('\0', ''))
/** A month: no work takes that long, and the time is still exact in milliseconds. */
const SECONDS_MAX = 30 * 24 * 60 * 60
const processing_seconds = z.number().min(0).max(SECONDS_MAX)

/**
 * What the fleet reports to POST {edge}/internal/callbacks, signed (see signature.ts).
 *
 * `fence` grows with every attempt at a job, so that a stalled worker that wakes up late can't
 * overwrite what its successor did. It is made by `fenceOf`.
 */
const base = { job_id: text, fence: z.int().min(1), at: z.iso.datetime() }

export const ResultFile = z.object({
  key: text,
  filename: text,
  content_type: text,
  size_bytes: z.int().min(0),
  sha256: text,
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
  'processing_failed',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

export const Outcome = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('done'),
    /** From pickup to the last step, on the worker. */
    processing_seconds,
    files: z.array(ResultFile).min(1),
    /** What the operation measured; becomes `result.body`. */
    body: z.record(z.string(), z.unknown()),
  }),
  z.object({
    status: z.literal('failed'),
    processing_seconds: processing_seconds.nullable(),
    error: text,
    error_code: z.enum(ERROR_CODES),
  }),
])
export type Outcome = z.infer<typeof Outcome>

export const JobReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('job.started'), ...base }),
  z.object({ type: z.literal('job.progress'), ...base, progress: z.int().min(0).max(100) }),
  z.object({ type: z.literal('job.finished'), ...base, started_at: z.iso.datetime(), outcome: Outcome }),
])
export type JobReport = z.infer<typeof JobReport>

/** The edge's answer. `continue: false`: the job is over or another attempt has it; stop the work. */
export const JobReportResponse = z.object({ continue: z.boolean() })
export type JobReportResponse = z.infer<typeof JobReportResponse>

/** A fence holds the number of the dispatch times this. */
export const ATTEMPTS_PER_DISPATCH = 1000

/** A number that is larger for every later attempt, also after the fleet's queue was lost. */
export function fenceOf(dispatch: number, attempt: number): number {
  return dispatch * ATTEMPTS_PER_DISPATCH + Math.min(attempt, ATTEMPTS_PER_DISPATCH - 1)
}
