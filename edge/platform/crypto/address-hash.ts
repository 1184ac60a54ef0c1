import { createHmac } from 'node:crypto'

const HASH_LENGTH = 16

/**
 * Returns a function that hashes addresses. The hashes can only be compared for equality.
 * @param occasion a day or a purpose; hashes made for different occasions cannot be compared.
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
