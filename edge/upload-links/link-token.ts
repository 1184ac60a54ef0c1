import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 24

/** Creates the secret of a link: 192 random bits that are safe in a URL and in a messenger's start parameter. */
export function makeLinkToken(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** Hashes the secret for storage. */
export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
