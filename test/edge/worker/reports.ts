import type { Outcome } from '../../../shared/protocol/job-report.ts'
import { signRequest } from '../../../shared/protocol/signature.ts'
import type { Answer, TestContext } from './context.ts'

const KEY_PREFIX = 'results'
/** The endpoint of the edge that receives reports. */
export const REPORTS = { to: 'edge', method: 'POST', path: '/internal/callbacks' } as const

export function doneOutcome(jobId: string, processing_seconds: number, fence = 1001): Outcome {
  return {
    status: 'done',
    processing_seconds,
    files: [
      {
        key: `${KEY_PREFIX}/${jobId}/${fence}/clip.mp4`,
        filename: 'clip.mp4',
        content_type: 'video/mp4',
        size_bytes: 5,
        sha256: '0'.repeat(64),
      },
    ],
    body: { encode_mode: 'encode' },
  }
}

export const FAILED: Outcome = {
  status: 'failed',
  processing_seconds: 3,
  error: 'this file cannot be read as a video',
  error_code: 'input_unreadable',
}

type Report =
  | { type: 'job.started' }
  | { type: 'job.progress'; progress: number }
  | { type: 'job.finished'; started_at: string; outcome: Outcome }

/** Builds the body of a report about a job. By default, the report is about the first attempt. */
export function reportBody(job_id: string, report: Report, fence = 1001): string {
  return JSON.stringify({ job_id, fence, at: new Date().toISOString(), ...report })
}

export const started = (job: string, fence?: number) => reportBody(job, { type: 'job.started' }, fence)

export const progressed = (job: string, progress: number, fence?: number) =>
  reportBody(job, { type: 'job.progress', progress }, fence)

export const finished = (job: string, outcome: Outcome, fence?: number) =>
  reportBody(job, { type: 'job.finished', started_at: new Date().toISOString(), outcome }, fence)

/**
 * Sends a report as the fleet does. By default, it has a new id and is signed with the fleet's first key at the
 * current time.
 */
export function report(
  { call, deps }: TestContext,
  raw: string,
  { id = crypto.randomUUID() as string, keys = deps.env.FLEET_KEYS, at = new Date() } = {},
): Promise<Answer> {
  const headers = { ...signRequest(keys, REPORTS, { id, body: raw, now: at }) }
  return call(REPORTS.method, REPORTS.path, { raw, headers })
}
