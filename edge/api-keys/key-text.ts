import { Buffer } from 'node:buffer'

/** Prefix of an API key's plaintext, which consists of `mk_` and 192 random bits in base64url. */
export const KEY_PREFIX = 'mk_'
const SECRET_BYTES = 24
const SHOWN_CHARACTERS = 10

export function generateKey(): { plaintext: string; prefix: string } {
  const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  const plaintext = KEY_PREFIX + Buffer.from(secret).toString('base64url')
  return { plaintext, prefix: plaintext.slice(0, SHOWN_CHARACTERS) }
}

/** Returns the SHA-256 of a key, in hexadecimal. */
export async function hashKey(plaintext: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(plaintext))
  return Buffer.from(digest).toString('hex')
}
