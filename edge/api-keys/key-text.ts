import { Buffer } from 'node:buffer'
import type { Database } from '../platform/database/client.ts'
import { numberSuffix } from '../platform/database/ids.ts'

/**
 * Prefix of an API key's plaintext, which consists of `mk_` and 192 random bits in base64url. In a database other than
 * the home, its number follows.
 */
export const KEY_PREFIX = 'mk_'
const SECRET_BYTES = 24
const SHOWN_CHARACTERS = 10

export function generateKey(db: Pick<Database, '$number'>): { plaintext: string; prefix: string } {
  const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  const plaintext = KEY_PREFIX + Buffer.from(secret).toString('base64url') + numberSuffix(db)
  return { plaintext, prefix: plaintext.slice(0, SHOWN_CHARACTERS) }
}

/** Returns the SHA-256 of a key, in hexadecimal. */
export async function hashKey(plaintext: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(plaintext))
  return Buffer.from(digest).toString('hex')
}
