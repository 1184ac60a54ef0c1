import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { isFromPeer, isSigned, type SignedRequest } from '../../shared/protocol/signature.ts'

/** A batch holds up to 100 messages from a queue with a limit of 128 KB per message. */
const BODY_BYTES_MAX = 16 * 1024 * 1024
/** Maximum sum of the bodies that are held in memory. The edge sends refused requests again. */
const BUFFERED_BYTES_MAX = 4 * BODY_BYTES_MAX

/** Refuses a request whose headers the edge has not signed, and closes its connection without reading the body. */
export function requirePeer(keys: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    if (isFromPeer(keys, signedRequest(context), signatureHeaders(context))) return next()
    return unauthorized(context)
  }
}

/** Refuses bodies that are too large, and bodies that do not fit into memory beside those of other requests. */
export function limitBodies(
  bytes_max = BODY_BYTES_MAX,
  buffered_bytes_max = BUFFERED_BYTES_MAX,
): MiddlewareHandler {
  let buffered_bytes = 0
  const limitOne = bodyLimit({
    maxSize: bytes_max,
    onError: (context) => closing(context.json({ detail: 'The request is too large.' }, 413)),
  })
  return async (context, next) => {
    const size_bytes = Math.min(bodySize(context) ?? bytes_max, bytes_max)
    if (buffered_bytes + size_bytes > buffered_bytes_max)
      return closing(
        context.json({ detail: 'Too many requests are being read. Try again.' }, 503, { 'retry-after': '1' }),
      )
    buffered_bytes += size_bytes
    try {
      return await limitOne(context, next)
    } finally {
      buffered_bytes -= size_bytes
    }
  }
}

/** Returns the size of the body in bytes, or null if it is not declared. */
function bodySize({ req }: Context): number | null {
  if (req.raw.body === null) return 0
  const declared = req.header('content-length')
  return declared === undefined ? null : Number(declared)
}

/** Checks the signature over the whole request. Hono caches the text, so handlers can read it again. */
export function requireSignature(keys: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    if (isSigned(keys, signedRequest(context), signatureHeaders(context), await context.req.text()))
      return next()
    return unauthorized(context)
  }
}

function unauthorized(context: Context): Response {
  return closing(context.json({ detail: 'The signature is missing, invalid or expired.' }, 401))
}

/** Otherwise the server would receive the rest of an unread body to keep the connection open. */
function closing(response: Response): Response {
  response.headers.set('connection', 'close')
  return response
}

function signedRequest({ req }: Context): SignedRequest {
  return { to: 'fleet', method: req.method, path: req.path }
}

function signatureHeaders({ req }: Context): Partial<Record<string, string>> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'webhook-sender']
  return Object.fromEntries(names.map((name) => [name, req.header(name)]))
}
