import { createHash } from 'node:crypto'
import { JobReport } from '../../shared/protocol/job-report.ts'
import { parseTraceparent } from '../../shared/protocol/traceparent.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { beginSpan, exportSpans } from '../platform/trace/span.ts'
import { acceptReport } from './accept-report.ts'
import { atJob } from './at-job.ts'
import { readSigned } from './read-signed.ts'

/**
 * Reads and accepts a report from the fleet. Throws 401 for an invalid signature, 413 for a body that is too large,
 * 422 for an invalid report, and anything that acceptReport throws.
 */
export async function receiveReport(deps: Deps, request: Request): Promise<{ continue: boolean }> {
  const { id, body } = await readSigned(deps, request)
  const digest = createHash('sha256').update(body).digest('hex')
  const report = parseReport(body)
  const parent = parseTraceparent(request.headers.get('traceparent'))
  const accept = () => atJob(deps, report.job_id, (own) => acceptReport(own, { id, digest, body: report }))
  if (parent === null) return accept()
  const span = beginSpan(deps, 'accept report', parent)
  const answer = await accept()
  exportSpans(deps, [span], () => ({ 'job.id': report.job_id, 'report.type': report.type }))
  return answer
}

function parseReport(body: string): JobReport {
  try {
    return JobReport.parse(JSON.parse(body))
  } catch {
    throw new ApiError('invalid_report')
  }
}
