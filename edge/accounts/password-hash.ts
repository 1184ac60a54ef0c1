import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { normalizePassword } from './rules/passwords.ts'

/**
 * These parameters make the hash memory-hard but fit the limits of a Worker. Each hash stores its parameters, so
 * they can be increased later.
 */
const COST = { N: 2 ** 14, r: 8, p: 1 }
const KEY_BYTES = 32
const SALT_BYTES = 16

/**
 * Hashes a password.
 * @returns `scrypt$N$r$p$salt$key`, with the salt and the key in base64.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$')
}

/**
 * Verifies a password.
 * @param stored null if the account is unknown or has no password. The function then does the same work and returns
 * false.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt, key] = (stored ?? UNKNOWN).split('$')
  const expected = Buffer.from(key ?? '', 'base64')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt ?? '', 'base64'), cost)
  const same = derived.length === expected.length && timingSafeEqual(derived, expected)
  return same && stored !== null
}

/** Checks whether a hash uses outdated parameters and should be replaced. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`scrypt$${COST.N}$${COST.r}$${COST.p}$`)
}

const UNKNOWN = `scrypt$${COST.N}$${COST.r}$${COST.p}$${Buffer.alloc(SALT_BYTES).toString('base64')}$${Buffer.alloc(KEY_BYTES).toString('base64')}`

function derive(password: string, salt: Uint8Array, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(normalizePassword(password), salt, KEY_BYTES, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
