import { scrypt } from 'node:crypto'

/**
 * The cost makes it slow to test guessed addresses against a stolen table. The cost is fixed, because lookups compare
 * stored hashes.
 */
const COST = { N: 2 ** 14, r: 8, p: 1 }
const SALT = 'address of a deleted account'

/** Hashes an address in lowercase with a salt, to recognize it when it registers again. */
export function hashAddress(emailKey: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(emailKey, SALT, 32, COST, (error, key) => (error ? reject(error) : resolve(key.toString('hex'))))
  })
}
