import type { WebhookEvent } from '../generated/types.ts'
import { MediaError } from './error.ts'

const TOLERANCE_SECONDS = 300

export interface VerifyOptions {
  /** Maximum difference between the clocks of sender and receiver, in seconds. Default: 300. */
  toleranceSeconds?: number
  /** The current time in milliseconds. */
  now?: number
}

type HeaderSource = Headers | Record<string, string | string[] | undefined>

/**
 * Verifies the signature of a webhook event (Standard Webhooks) and returns the event. Contract: Webhooks, Webhook
 * event.
 * @param body the body exactly as received; parsing and serializing it could change it
 * @param secret the secret of the endpoint or the account, or several during a rotation
 * @throws MediaError `invalid_signature` or `invalid_timestamp`
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const read = (name: string) => readHeader(headers, name)
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(read)
  if (!id || !timestamp || !signatures) {
    throw invalid('invalid_signature', 'The request is not signed. Check that the webhook headers arrive.')
  }
  const seconds = Number(timestamp)
  if (!Number.isInteger(seconds) || Math.abs(now / 1000 - seconds) > toleranceSeconds) {
    throw invalid(
      'invalid_timestamp',
      'The timestamp is too old or too new. Check the clock of this machine.',
    )
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  if (!(await isSigned(signed, signatures, [secret].flat()))) {
    throw invalid(
      'invalid_signature',
      'No signature matches. Check the secret and that the body is unchanged.',
    )
  }
  return JSON.parse(text)
}

/** Returns the headers that sign an event. */
export async function signWebhook(
  body: string,
  { id, secret, now = Date.now() }: { id: string; secret: string; now?: number },
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000))
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signature = await crypto.subtle.sign('HMAC', await importKey(secret), signed)
  const text = btoa(String.fromCharCode(...new Uint8Array(signature)))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${text}` }
}

/** Checks a signature with crypto.subtle.verify, which compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const candidates = signatures.split(' ').flatMap((one) => {
    const [version, text = ''] = one.split(',')
    return version === 'v1' ? (decode(text) ?? []) : []
  })
  for (const secret of secrets) {
    const key = await importKey(secret)
    for (const candidate of candidates) {
      if (await crypto.subtle.verify('HMAC', key, candidate, signed)) return true
    }
  }
  return false
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = decode(secret.replace(/^whsec_/, ''))
  if (bytes === null || bytes.length === 0) {
    throw invalid('invalid_secret', 'The webhook secret is invalid. It begins with whsec_.')
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function readHeader(headers: HeaderSource, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  return [entry?.[1]].flat()[0]
}

function invalid(code: string, message: string): MediaError {
  return new MediaError(message, { code })
}
