import { createHash } from 'node:crypto'
import { JobReport } from '../../shared/protocol/job-report.ts'
import { isFromPeer, isSigned } from '../../shared/protocol/signature.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { readTextAtMost } from '../platform/http/request-body.ts'
import { acceptReport } from './accept-report.ts'

/** Maximum body size from the fleet: the report of a finished job may contain a transcript. */
const PEER_BYTES_MAX = 16 * 1024 * 1024
/** Maximum body size, before the signature is verified, if the headers do not prove that the sender is the fleet. */
const BYTES_MAX = 64 * 1024
const AGE_SECONDS_MAX = 5 * 60

/**
 * Reads and accepts a report from the fleet. Throws 401 for an invalid signature, 413 for a body that is too large,
 * 422 for an invalid report, and anything that acceptReport throws.
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
  return acceptReport(deps, { id, digest, body: parseReport(body) })
}

/** Checks the signature's format and timestamp before the body is read. */
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
