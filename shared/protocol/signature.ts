import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/**
 * Headers of Standard Webhooks, plus `webhook-sender`. Edge and fleet sign with the first key and accept any of the
 * keys, so keys can be rotated without downtime. Timestamps that are off by more than five minutes are refused.
 */
export interface SignatureHeaders {
  'webhook-id': string
  'webhook-timestamp': string
  /** Covers the receiver, method, path, id, timestamp and body. */
  'webhook-signature': string
  /** Covers the same without the body, so the receiver can authenticate its peer before it reads the body. */
  'webhook-sender': string
}

/** The request that a signature is valid for. */
export interface SignedRequest {
  to: 'edge' | 'fleet'
  method: string
  /** Path below FLEET_URL or EDGE_URL, such as `/jobs`. */
  path: string
}

type Headers = Partial<Record<string, string>>

/** The body that `webhook-sender` covers. No request has it, so that header is no signature of a request. */
const SENDER = 'sender'

/**
 * Signs a request.
 * @param keys base64 secrets; the first one signs.
 */
export function signRequest(
  keys: readonly string[],
  request: SignedRequest,
  { id, body, now = new Date() }: { id: string; body: string; now?: Date },
): SignatureHeaders {
  const [first] = keys
  if (first === undefined) throw new Error('no signing key is configured')
  const webhook = webhookTo(request.to, first)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': webhook.sign(signedId(request, id), now, body),
    'webhook-sender': webhook.sign(signedId(request, id), now, SENDER),
  }
}

/** Checks whether a holder of one of the keys sent these headers for this request within the last five minutes. */
export function isFromPeer(keys: readonly string[], request: SignedRequest, headers: Headers): boolean {
  return verify(keys, request, { ...headers, 'webhook-signature': headers['webhook-sender'] }, SENDER)
}

/** Checks whether one of the keys signed this request with this body within the last five minutes. */
export function isSigned(
  keys: readonly string[],
  request: SignedRequest,
  headers: Headers,
  body: string,
): boolean {
  return verify(keys, request, headers, body)
}

function verify(keys: readonly string[], request: SignedRequest, headers: Headers, body: string): boolean {
  const id = headers['webhook-id']
  if (id === undefined) return false
  const signed = { ...headers, 'webhook-id': signedId(request, id) } as Record<string, string>
  return keys.some((key) => {
    try {
      webhookTo(request.to, key).verify(body, signed, { jsonParse: false })
      return true
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false
      throw error
    }
  })
}

/** Methods and paths contain no spaces, so no two requests have the same signed id. */
function signedId({ method, path }: SignedRequest, id: string): string {
  return `${method} ${path} ${id}`
}

/** Each direction has a key of its own, derived from the secret, so a request cannot be sent back to its sender. */
function webhookTo(receiver: SignedRequest['to'], secret: string): Webhook {
  const [, key = ''] = new Webhook(secret).sign(`key for requests to ${receiver}`, new Date(0), '').split(',')
  return new Webhook(key)
}

/** Parses a comma-separated setting into keys, in order. */
export function parseKeys(setting: string): string[] {
  return setting
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
}
