import { isFromPeer, isSigned } from '../../shared/protocol/signature.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { readTextAtMost } from '../platform/http/request-body.ts'

/** Maximum body size from the fleet: the report of a finished job may contain a transcript. */
const PEER_BYTES_MAX = 16 * 1024 * 1024
/** Maximum body size, before the signature is verified, if the headers do not prove that the sender is the fleet. */
const BYTES_MAX = 64 * 1024
const AGE_SECONDS_MAX = 5 * 60

/** Reads a signed request of the fleet. Throws 401 for an invalid signature, and 413 for a body that is too large. */
export async function readSigned({ env }: Deps, request: Request): Promise<{ id: string; body: string }> {
  const headers = Object.fromEntries(request.headers)
  const id = headers['webhook-id']
  if (id === undefined || !mayBeSigned(headers)) throw new ApiError('invalid_signature')
  const bytes_max = isFromPeer(env.FLEET_KEYS, headers) ? PEER_BYTES_MAX : BYTES_MAX
  const body = await readTextAtMost(request, bytes_max)
  if (body === null) throw new ApiError('body_too_large', { bytes_max })
  if (!isSigned(env.FLEET_KEYS, headers, body)) throw new ApiError('invalid_signature')
  return { id, body }
}

/** Checks the signature's format and timestamp before the body is read. */
function mayBeSigned(headers: Record<string, string>): boolean {
  const age_seconds = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'] ?? Number.NaN))
  return /^v1,\S{44}( |$)/.test(headers['webhook-signature'] ?? '') && age_seconds <= AGE_SECONDS_MAX
}
