import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/**
 * Headers of Standard Webhooks: `webhook-signature` covers the id, timestamp and body. Edge and fleet sign with the
 * first key and accept any of the keys, so keys can be rotated without downtime. Timestamps that are off by more
 * than five minutes are refused.
 */
export interface SignatureHeaders {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/**
 * Signs a request.
 * @param keys base64 secrets; the first one signs.
 */
export function sign(keys: readonly string[], id: string, body: string, now: Date): SignatureHeaders {
  const [first] = keys
  if (first === undefined) throw new Error('no signing key is configured')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(first).sign(id, now, body),
  }
}

/** Checks whether one of the keys signed this body within the last five minutes. */
export function isSigned(
  keys: readonly string[],
  headers: Partial<Record<string, string>>,
  body: string,
): boolean {
  return keys.some((key) => {
    try {
      new Webhook(key).verify(body, headers as Record<string, string>)
      return true
    } catch (error) {
      if (error instanceof WebhookVerificationError || error instanceof SyntaxError) return false
      throw error
    }
  })
}

/** The verifier requires JSON. */
const SENDER = '"sender"'

/** Signs only the id and timestamp, so the receiver can authenticate its peer before it reads a long body. */
export function signSender(keys: readonly string[], id: string, now: Date): { 'webhook-sender': string } {
  return { 'webhook-sender': sign(keys, id, SENDER, now)['webhook-signature'] }
}

/** Checks whether a holder of one of the keys sent these headers within the last five minutes. */
export function isFromPeer(keys: readonly string[], headers: Partial<Record<string, string>>): boolean {
  return isSigned(keys, { ...headers, 'webhook-signature': headers['webhook-sender'] ?? '' }, SENDER)
}

/** Parses a comma-separated setting into keys, in order. */
export function parseKeys(setting: string): string[] {
  return setting
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
}
