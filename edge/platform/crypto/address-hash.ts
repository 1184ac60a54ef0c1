import { createHmac } from 'node:crypto'

const HASH_LENGTH = 16

/**
 * Returns a function that hashes addresses, so that only equality can be checked.
 * @param occasion separates hashes: those of different occasions (a day, a purpose) cannot be compared.
 */
export function addressHasher(secret: string, occasion: string): (address: string | null) => string {
  const key = createHmac('sha256', secret).update(`addresses of ${occasion}`).digest()
  const known = new Map<string, string>()
  return (address) => {
    const text = address ?? 'unknown'
    const hash = known.get(text) ?? createHmac('sha256', key).update(text).digest('hex').slice(0, HASH_LENGTH)
    known.set(text, hash)
    return hash
  }
}
