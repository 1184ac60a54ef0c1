import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 24

/** The secret of a link: 192 random bits that fit an address, and a messenger's start parameter. */
export function makeLinkToken(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** All that is kept of it. */
export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
