import { createHash } from 'node:crypto'
import { JobReport } from '../../shared/protocol/job-report.ts'
import { isFromPeer, isSigned } from '../../shared/protocol/signature.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { readTextAtMost } from '../platform/http/request-body.ts'
import { takeReport } from './accept-report.ts'

/** The report of a finished job may hold a transcript. */
const PEER_BYTES_MAX = 16 * 1024 * 1024
/** Of anybody who does not prove by the headers alone to be the fleet, no more is read before the signature. */
const BYTES_MAX = 64 * 1024
const AGE_SECONDS_MAX = 5 * 60

/**
 * Reads a report of the fleet and accepts it. Throws 401 where the fleet did not sign it, 413 for a longer body than
 * its sender may have read, 422 for what is no report, and as takeReport does.
 */
export async function receiveReport(deps: Deps, request: Request): Promise<{ continue: boolean }> {
  const headers = Object.fromEntries(request.headers)
  const id = headers['webhook-id']
  if (id === undefined || !mayBeSigned(headers)) throw new ApiError('invalid_signature')
  const bytes_max = isFromPeer(deps.env.FLEET_KEYS, headers) ? PEER_BYTES_MAX : BYTES_MAX
  const body = await readTextAtMost(request, bytes_max)
  if (body === null) throw new ApiError('body_too_large', { bytes_max })
  if (!isSigned(deps.env.FLEET_KEYS, headers, body)) throw new ApiError('invalid_signature')
  const digest = createHash('sha256').update(body).digest('hex')
  return takeReport(deps, { id, digest, callback: parseReport(body) })
}

/** Looks at the form of the signature and its time, before the body is read. */
function mayBeSigned(headers: Record<string, string>): boolean {
  const age_seconds = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'] ?? Number.NaN))
  return /^v1,\S{44}( |$)/.test(headers['webhook-signature'] ?? '') && age_seconds <= AGE_SECONDS_MAX
}

function parseReport(body: string): JobReport {
  try {
    return JobReport.parse(JSON.parse(body))
  } catch {
    throw new ApiError('invalid_report')
  }
}
