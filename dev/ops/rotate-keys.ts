import { parseKeys } from '../../shared/protocol/signature.ts'

export const ROTATED = ['FLEET_KEYS', 'SESSION_KEYS', 'STORAGE_KEYS', 'ADDRESS_KEYS'] as const
export type RotatedKeys = (typeof ROTATED)[number]

const KEYS_KEPT = 2

/**
 * Returns the next value of a list of keys: the new key first, which signs, and the last ones after it, which still
 * verify. Session keys get the next free id.
 * @param secret a base64 secret
 */
export function rotateKeys(name: RotatedKeys, current: string, secret: string): string {
  const kept = parseKeys(current).slice(0, KEYS_KEPT)
  const added = name === 'SESSION_KEYS' ? `${nextId(kept)}:${secret}` : secret
  return [added, ...kept].join(',')
}

function nextId(keys: readonly string[]): string {
  const numbers = keys.map((key) => Number(/(\d+):/.exec(key)?.[1] ?? 0))
  return `k${Math.max(0, ...numbers) + 1}`
}
