import { createHmac, timingSafeEqual } from 'node:crypto'

/** A whole number below 2^32 that nobody can foretell. */
export function drawWord(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}

interface CodeName {
  account_id: number
  number: number
}

/**
 * A code as it is kept. A million codes are soon tried through, so who reads the database alone must not
 * be able to: the key is not in it. After a change of the key the codes under way are void.
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
