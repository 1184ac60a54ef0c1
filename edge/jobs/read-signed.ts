import { isFromPeer, isSigned } from '../../shared/protocol/signature.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { readTextAtMost } from '../platform/http/request-body.ts'

/** Maximum body size: the report of a finished job may contain a transcript. */
const BYTES_MAX = 16 * 1024 * 1024

/**
 * Reads a signed request of the fleet. Throws 401 for an invalid signature, before the body is read if the headers show
 * it, and 413 for a body that is too large.
 */
export async function readSigned({ env }: Deps, request: Request): Promise<{ id: string; body: string }> {
  const headers = Object.fromEntries(request.headers)
  const signed = { to: 'edge', method: request.method, path: new URL(request.url).pathname } as const
  const id = headers['webhook-id']
  if (id === undefined || !isFromPeer(env.FLEET_KEYS, signed, headers))
    throw new ApiError('invalid_signature')
  const body = await readTextAtMost(request, BYTES_MAX)
  if (body === null) throw new ApiError('body_too_large', { bytes_max: BYTES_MAX })
  if (!isSigned(env.FLEET_KEYS, signed, headers, body)) throw new ApiError('invalid_signature')
  return { id, body }
}
