import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns a cryptographically random integer below 2^32. */
export function drawWord(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}

interface CodeName {
  account_id: number
  number: number
}

/**
 * Hashes a code for storage. The key is not in the database, because anyone who had both could quickly try all one
 * million codes. Replacing the key invalidates codes that have already been sent.
 */
export function hashCode(sessionKeys: readonly string[], { account_id, number }: CodeName, code: string) {
  return createHmac('sha256', `email code ${sessionKeys[0]}`)
    .update(`${account_id}:${number}:${code}`)
    .digest('hex')
}

export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
