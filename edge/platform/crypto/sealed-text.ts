import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts text that is stored and may contain a secret, such as a new API key or the key of a customer's storage. */
export function sealText(secrets: readonly string[], text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, deriveKey(secrets[0] ?? ''), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Decrypts text; returns null if none of the secrets encrypted it or if it was modified. */
export function openText(secrets: readonly string[], sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64')
  for (const secret of secrets) {
    try {
      const decipher = createDecipheriv(ALGORITHM, deriveKey(secret), bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    } catch {
      // Another secret may have encrypted it.
    }
  }
  return null
}

/** Returns a name by which a row remembers the key that encrypted it. It reveals nothing about the key. */
export function nameOfKey(secret: string): string {
  return createHmac('sha256', secret).update('name of the key').digest('hex').slice(0, 16)
}

function deriveKey(secret: string): Buffer {
  return createHmac('sha256', secret).update('sealed text').digest()
}
