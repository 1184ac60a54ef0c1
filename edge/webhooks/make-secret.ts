import { Buffer } from 'node:buffer'

const SECRET_BYTES = 32

/** Creates a secret in the Standard Webhooks format: `whsec_` followed by base64. */
export function makeSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')}`
}
