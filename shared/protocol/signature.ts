import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/**
 * Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature` over id, time and body.
 * Both halves sign their requests to each other with the first key and accept any of the keys,
 * so that a key can be changed without a pause. Older or newer than five minutes is refused.
 */
export interface SignatureHeaders {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** @param keys base64 secrets, the one to sign with first. */
export function sign(keys: readonly string[], id: string, body: string, now: Date): SignatureHeaders {
  const [first] = keys
  if (first === undefined) throw new Error('no key to sign with')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(first).sign(id, now, body),
  }
}

/** True when one of the keys signed just this body within the last five minutes. */
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

/** Verification wants JSON. */
const SENDER = '"sender"'

/** Signs id and time alone, by which the receiver knows its peer before it reads a long body. */
export function signSender(keys: readonly string[], id: string, now: Date): { 'webhook-sender': string } {
  return { 'webhook-sender': sign(keys, id, SENDER, now)['webhook-signature'] }
}

/** Whether somebody who holds one of the keys sent these headers within the last five minutes. */
export function isFromPeer(keys: readonly string[], headers: Partial<Record<string, string>>): boolean {
  return isSigned(keys, { ...headers, 'webhook-signature': headers['webhook-sender'] ?? '' }, SENDER)
}

/** The keys of a comma-separated setting, in order. */
export function parseKeys(setting: string): string[] {
  return setting
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
}
