import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares two strings in constant time, also strings of different lengths. */
export function isEqualSecret(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
